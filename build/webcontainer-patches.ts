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

/**
 * Fixes for `@webcontainer/api` 1.6.4 (MIT) that nothing downstream can make. After an upgrade the build
 * fails until they are checked again.
 */
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
    // A function keeps dollar signs in the text from having a meaning.
    return text.replace(find, () => replace);
  }, code);
}

/** Patches the client as it is bundled. It must not be bundled before Vite's plugins see it. */
export function webcontainerPatches(): Plugin {
  return {
    name: 'vitrine:webcontainer-patches',
    enforce: 'pre',
    transform: (code, id) => (normalizePath(id.split('?')[0] ?? '') === client ? patched(code) : undefined),
  };
}

/** Returns the source of the installed client. */
export function clientSource(): string {
  return readFileSync(client, 'utf8');
}
