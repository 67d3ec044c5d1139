import kernelUrl from 'guest:guest/kernel/main.ts';
import brotliUrl from 'guest:guest/node/builtins/zlib/brotli/main.ts';
import keysUrl from 'guest:guest/node/builtins/crypto/keys/main.ts';
import typescriptUrl from 'guest:guest/node/loader/typescript/main.ts';
import websocketUrl from 'guest:guest/node/builtins/websocket/main.ts';
import nodeUrl from 'guest:guest/node/main.ts';
import searchUrl from 'guest:guest/search/main.ts';
import shellUrl from 'guest:guest/shell/main.ts';
import { EmbeddedWorkspace, type EmbeddedOptions } from './embedded-workspace.ts';
import { connectFrame } from './frame.ts';
import type { NodePart } from './protocol.ts';

export interface OpenOptions extends Omit<
  EmbeddedOptions,
  'connect' | 'programs' | 'nodeProgram' | 'nodePart'
> {
  /** Where the frame is put; it shows nothing. */
  readonly container: HTMLElement;
}

const PARTS: Readonly<Record<NodePart, string>> = {
  keys: keysUrl,
  brotli: brotliUrl,
  typescript: typescriptUrl,
  websocket: websocketUrl,
};

/** An embedded workspace in a frame of this page. It is being started when this returns; its calls wait for that. */
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

/** Beside the folder of the scripts, wherever the app is served and whatever page of it this is. */
export function sandboxUrl(): URL {
  return new URL('../sandbox.html', new URL(kernelUrl, location.href));
}

/** Fetched once: a frame that is made anew gets the same text. A fetch that failed is tried again. */
const texts = new Map<string, Promise<string>>();

function text(url: string): Promise<string> {
  let loading = texts.get(url);
  if (!loading) {
    loading = load(url);
    texts.set(url, loading);
    loading.catch(() => texts.delete(url));
  }
  return loading;
}

async function load(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.text();
}
