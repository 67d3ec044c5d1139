import path from 'node:path';
import type { Plugin } from 'vite';

const folder = path.resolve(import.meta.dirname, '../guest/node/builtins/shims');
const packages = /[\\/]node_modules[\\/](readable-stream|unenv)[\\/]/;

const shims: Readonly<Record<string, string>> = {
  buffer: 'buffer.ts',
  events: 'events.ts',
  'process/': 'process.ts',
  'string_decoder/': 'string-decoder.ts',
  'abort-controller': 'abort-controller.ts',
  'node:querystring': 'querystring.ts',
  'node:path': 'path.ts',
};

/**
 * Packages that stand for node's builtins use this repository's other builtins, not the ones they bring: there is one
 * Buffer and one EventEmitter in a process.
 */
export function nodeBuiltins(): Plugin {
  return {
    name: 'vitrine:node-builtins',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer || !packages.test(importer)) return undefined;
      if (/readable-stream/.test(importer) && /(^|\/)errors$/.test(source))
        return path.join(folder, 'stream-errors.ts');
      const shim = shims[source];
      return shim && path.join(folder, shim);
    },
    transform(code, id) {
      // What is written between the two ticks would come before what was written earlier.
      if (/readable-stream.*[\\/]destroy\.js/.test(id)) {
        const late = 'process.nextTick(emitConstructNT, stream)';
        if (!code.includes(late)) this.error(`readable-stream has no ${late} any more`);
        return code.replace(late, 'emitConstructNT(stream)');
      }
      // It warns on the console of every use; node does so only when it is asked to.
      if (!/[\\/]unenv[\\/].*[\\/]node[\\/]url\.mjs/.test(id)) return undefined;
      return code.replaceAll('console.warn(', 'void (');
    },
  };
}
