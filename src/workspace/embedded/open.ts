import kernelUrl from 'guest:guest/kernel/main.ts';
import keysUrl from 'guest:guest/node/builtins/crypto/keys/main.ts';
import cryptoUrl from 'guest:guest/node/builtins/crypto/main.ts';
import httpUrl from 'guest:guest/node/builtins/http/main.ts';
import readlineUrl from 'guest:guest/node/builtins/readline/main.ts';
import mockUrl from 'guest:guest/node/builtins/test/mock/main.ts';
import websocketUrl from 'guest:guest/node/builtins/websocket/main.ts';
import brotliUrl from 'guest:guest/node/builtins/zlib/brotli/main.ts';
import zlibUrl from 'guest:guest/node/builtins/zlib/main.ts';
import lexerUrl from 'guest:guest/node/loader/lexer/main.ts';
import typescriptUrl from 'guest:guest/node/loader/typescript/main.ts';
import nodeUrl from 'guest:guest/node/main.ts';
import patternsUrl from 'guest:guest/node/patterns/main.ts';
import searchUrl from 'guest:guest/search/main.ts';
import shellUrl from 'guest:guest/shell/main.ts';
import { lazily } from '../../base/lazily.ts';
import { loadText } from '../../base/parts.ts';
import { EmbeddedWorkspace, type EmbeddedOptions } from './embedded-workspace.ts';
import { connectFrame } from './frame.ts';
import type { NodePart } from '../../protocol/frame.ts';

export interface OpenOptions extends Omit<
  EmbeddedOptions,
  'connect' | 'programs' | 'nodeProgram' | 'nodePart'
> {
  /** The parent of the frame, which shows nothing. */
  readonly container: HTMLElement;
}

const PARTS: Readonly<Record<NodePart, string>> = {
  brotli: brotliUrl,
  crypto: cryptoUrl,
  http: httpUrl,
  keys: keysUrl,
  lexer: lexerUrl,
  mock: mockUrl,
  patterns: patternsUrl,
  readline: readlineUrl,
  typescript: typescriptUrl,
  websocket: websocketUrl,
  zlib: zlibUrl,
};

/** Opens an embedded workspace in a frame of this page. It may still be starting when this returns; its calls wait. */
export function openEmbedded({ container, ...options }: OpenOptions): EmbeddedWorkspace {
  return new EmbeddedWorkspace({
    ...options,
    connect: () => connectFrame({ container, url: sandboxUrl(), kernel: () => text(kernelUrl) }),
    programs: async () => {
      const [shell, search] = await Promise.all([text(shellUrl), text(searchUrl)]);
      return { shell, search };
    },
    nodeProgram: () => text(nodeUrl),
    nodePart: (part) => text(PARTS[part]),
  });
}

/** The address next to the folder of the scripts, wherever the app is served and whichever page this is. */
export function sandboxUrl(): URL {
  return new URL('../sandbox.html', new URL(kernelUrl, location.href));
}

/** Each text is fetched once, so that a new frame gets the same text. A failed fetch is tried again. */
const texts = new Map<string, () => Promise<string>>();

function text(url: string): Promise<string> {
  const load = texts.get(url) ?? lazily(() => loadText(url));
  texts.set(url, load);
  return load();
}
