import type { Plugin } from 'vite';
import type { Part } from '../src/offline/build.ts';

/**
 * Packages that most visits never use: grammars, language services, the editor, formatters, and the clients of providers on
 * the network.
 */
const LATER =
  /[\\/]node_modules[\\/](?:@shikijs[\\/](?:langs|themes)|typescript|@codemirror|@lezer|prettier|@ai-sdk[\\/](?:anthropic|google|openai)|@modelcontextprotocol|@webcontainer)[\\/]|^\0typescript-library:/;

/** Guest scripts of which the same is true. */
const LATER_GUEST = /^guest\/node\/(?:builtins\/(?:crypto\/keys|wasi|zlib\/brotli)|loader\/typescript)\//;

/** Models in the tab are run by the engine's scripts and by ONNX Runtime. Nothing else in the build uses these files. */
const ASKED_GUEST = /^guest\/engine\//;
const ASKED = /^assets\/ort-wasm-[\w.-]+\.wasm$/;

/** When each script of this build is downloaded for offline use, by its path in the build. */
const parts = new Map<string, Part>();

export function partOf(path: string): Part {
  if (path === '' || path === 'sandbox.html') return 'start';
  if (ASKED.test(path)) return 'asked';
  return parts.get(path) ?? (path === 'licences.txt' ? 'later' : 'core');
}

export function noteGuestScript(path: string, entry: string): void {
  if (LATER_GUEST.test(entry)) parts.set(path, 'later');
  if (ASKED_GUEST.test(entry)) parts.set(path, 'asked');
}

/** Notes the scripts that consist mostly of such packages. The page and its workers are built apart. */
export function offlineParts(): Plugin {
  return {
    name: 'vitrine:offline-parts',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue;
        let total = 0;
        let later = 0;
        for (const [id, { renderedLength }] of Object.entries(output.modules)) {
          total += renderedLength;
          if (LATER.test(id)) later += renderedLength;
        }
        if (later > total / 2) parts.set(output.fileName, 'later');
      }
    },
  };
}
