import gitUrl from 'guest:guest/git/main.ts';
import kernelUrl from 'guest:guest/kernel/main.ts';
import keysUrl from 'guest:guest/node/builtins/crypto/keys/main.ts';
import cryptoUrl from 'guest:guest/node/builtins/crypto/main.ts';
import httpUrl from 'guest:guest/node/builtins/http/main.ts';
import perfUrl from 'guest:guest/node/builtins/perf/main.ts';
import readlineUrl from 'guest:guest/node/builtins/readline/main.ts';
import mockUrl from 'guest:guest/node/builtins/test/mock/main.ts';
import wasiUrl from 'guest:guest/node/builtins/wasi/main.ts';
import websocketUrl from 'guest:guest/node/builtins/websocket/main.ts';
import brotliUrl from 'guest:guest/node/builtins/zlib/brotli/main.ts';
import zlibUrl from 'guest:guest/node/builtins/zlib/main.ts';
import importsUrl from 'guest:guest/node/loader/imports/main.ts';
import lexerUrl from 'guest:guest/node/loader/lexer/main.ts';
import typescriptUrl from 'guest:guest/node/loader/typescript/main.ts';
import nodeUrl from 'guest:guest/node/main.ts';
import patternsUrl from 'guest:guest/node/patterns/main.ts';
import searchUrl from 'guest:guest/search/main.ts';
import archivesUrl from 'guest:guest/shell/commands/archives/main.ts';
import awkUrl from 'guest:guest/shell/commands/awk/main.ts';
import compareUrl from 'guest:guest/shell/commands/diff/main.ts';
import jqUrl from 'guest:guest/shell/commands/jq/main.ts';
import lessUrl from 'guest:guest/shell/commands/less/main.ts';
import mathUrl from 'guest:guest/shell/commands/math/main.ts';
import npmUrl from 'guest:guest/shell/commands/npm/main.ts';
import rareUrl from 'guest:guest/shell/commands/rare/main.ts';
import rgUrl from 'guest:guest/shell/commands/rg/main.ts';
import sedUrl from 'guest:guest/shell/commands/sed/main.ts';
import sumsUrl from 'guest:guest/shell/commands/sums/main.ts';
import shellUrl from 'guest:guest/shell/main.ts';
import parserUrl from 'guest:guest/shell/parser/main.ts';
import { pageClock } from '../../base/clock.ts';
import { lazily } from '../../base/lazily.ts';
import { ownFile } from '../../base/page-build.ts';
import { asScript, loadScript, loadText } from '../../base/parts.ts';
import { EmbeddedWorkspace, type EmbeddedOptions } from './embedded-workspace.ts';
import { connectFrame } from './frame.ts';
import { pageImages } from './page-images.ts';
import type { Part } from '../../protocol/frame.ts';

export interface OpenOptions extends Omit<
  EmbeddedOptions,
  'connect' | 'programs' | 'nodeProgram' | 'part' | 'images'
> {
  /** The parent of the frame, which shows nothing. */
  readonly container: HTMLElement;
}

const PARTS: Readonly<Record<Part, string>> = {
  archives: archivesUrl,
  awk: awkUrl,
  compare: compareUrl,
  jq: jqUrl,
  less: lessUrl,
  math: mathUrl,
  npm: npmUrl,
  rare: rareUrl,
  rg: rgUrl,
  sed: sedUrl,
  sums: sumsUrl,
  brotli: brotliUrl,
  crypto: cryptoUrl,
  git: gitUrl,
  http: httpUrl,
  imports: importsUrl,
  keys: keysUrl,
  lexer: lexerUrl,
  mock: mockUrl,
  patterns: patternsUrl,
  perf: perfUrl,
  readline: readlineUrl,
  typescript: typescriptUrl,
  wasi: wasiUrl,
  websocket: websocketUrl,
  zlib: zlibUrl,
};

/** Opens an embedded workspace in a frame of this page. It may still be starting when this returns; its calls wait. */
export function openEmbedded({ container, ...options }: OpenOptions): EmbeddedWorkspace {
  return new EmbeddedWorkspace({
    ...options,
    connect: () => connectFrame({ container, url: sandboxUrl(), kernel: () => scripts(kernelUrl) }),
    programs: async () => {
      const [parser, shell, search] = await Promise.all([
        scripts(parserUrl),
        scripts(shellUrl),
        scripts(searchUrl),
      ]);
      return { shell: asScript(parser, '\n', shell), search };
    },
    nodeProgram: () => scripts(nodeUrl),
    part: (part) => texts(PARTS[part]),
    images: pageImages,
    madeUpTime: () => pageClock.fileTime?.(),
  });
}

/** The address next to the folder of the scripts, wherever the app is served and whichever page this is. */
export function sandboxUrl(): URL {
  return new URL(ownFile('../sandbox.html'), new URL(kernelUrl, location.href));
}

const scripts = fetchedOnce(loadScript);
const texts = fetchedOnce(loadText);

/** Each file is fetched once, so that a new frame gets the same one. A failed fetch is tried again. */
function fetchedOnce<T>(load: (url: string) => Promise<T>): (url: string) => Promise<T> {
  const files = new Map<string, () => Promise<T>>();
  return (url) => {
    const file = files.get(url) ?? lazily(() => load(url));
    files.set(url, file);
    return file();
  };
}
