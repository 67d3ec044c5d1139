import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { normalizePath, type Plugin } from 'vite';

const client = normalizePath(
  fileURLToPath(new URL('../node_modules/@webcontainer/api/dist/index.js', import.meta.url)),
);

interface Patch {
  readonly why: string;
  readonly find: string;
  readonly replace: string;
}

/** What `@webcontainer/api` 1.6.4 (MIT) lacks and nothing downstream can mend; an upgrade fails until it is looked at again. */
export const patches: readonly Patch[] = [
  {
    why: 'a character whose bytes come in two chunks of output becomes two replacement characters',
    find: `    return (data) => {
        if (data instanceof Uint8Array) {
            listener(decoder.decode(data));
        }`,
    replace: `    const streamed = new TextDecoder('utf-8', { ignoreBOM: true });
    return (data) => {
        if (data instanceof Uint8Array) {
            listener(streamed.decode(data, { stream: true }));
        }`,
  },
  {
    why: 'whatever waits for a runtime that died waits for ever, every later boot too',
    find: `let bootPromise = null;
let cachedServerPromise = null;
let cachedBootOptions = {};`,
    replace: `let bootPromise = null;
let cachedServerPromise = null;
let cachedBootOptions = {};
export function forgetRuntime() {
    bootPromise = null;
    cachedServerPromise = null;
    WebContainer._instance = null;
    WebContainer._teardownPromise = null;
}`,
  },
];

export function patched(code: string): string {
  return patches.reduce((text, { why, find, replace }) => {
    if (text.split(find).length !== 2)
      throw new Error(`@webcontainer/api is not the version that is patched: ${why}`);
    // As a function: dollars in it mean nothing.
    return text.replace(find, () => replace);
  }, code);
}

/** Mends the client where it is bundled; it must not be bundled before Vite's plugins see it. */
export function webcontainerPatches(): Plugin {
  return {
    name: 'vitrine:webcontainer-patches',
    enforce: 'pre',
    transform: (code, id) => (normalizePath(id.split('?')[0] ?? '') === client ? patched(code) : undefined),
  };
}

/** The client as it is installed. */
export function clientSource(): string {
  return readFileSync(client, 'utf8');
}
