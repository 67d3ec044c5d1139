import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { normalizePath, type Plugin } from 'vite';

const client = normalizePath(
  fileURLToPath(new URL('../node_modules/@webcontainer/api/dist/index.js', import.meta.url)),
);

/** A defect of `@webcontainer/api` 1.6.4 (MIT) that nothing downstream can mend; an upgrade fails until it is looked at again. */
export const patch = {
  defect: 'a character whose bytes come in two chunks of output becomes two replacement characters',
  find: `    return (data) => {
        if (data instanceof Uint8Array) {
            listener(decoder.decode(data));
        }`,
  replace: `    const streamed = new TextDecoder('utf-8', { ignoreBOM: true });
    return (data) => {
        if (data instanceof Uint8Array) {
            listener(streamed.decode(data, { stream: true }));
        }`,
} as const;

export function patched(code: string): string {
  if (code.split(patch.find).length !== 2)
    throw new Error(`@webcontainer/api is not the version that is patched: ${patch.defect}`);
  return code.replace(patch.find, patch.replace);
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
