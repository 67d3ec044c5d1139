import path from 'node:path';
import type { Plugin } from 'vite';

const folder = path.resolve(import.meta.dirname, '../guest/node/builtins/shims');
const streams = /[\\/]node_modules[\\/]readable-stream[\\/]/;

const shims: Readonly<Record<string, string>> = {
  buffer: 'buffer.ts',
  events: 'events.ts',
  'process/': 'process.ts',
  'string_decoder/': 'string-decoder.ts',
  'abort-controller': 'abort-controller.ts',
};

/**
 * Makes the package that implements node's streams use this repository's builtins and not its own
 * dependencies, so that a process has only one Buffer and one EventEmitter.
 */
export function nodeBuiltins(): Plugin {
  return {
    name: 'vitrine:node-builtins',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer || !streams.test(importer)) return undefined;
      if (/(^|\/)errors$/.test(source)) return path.join(folder, 'stream-errors.ts');
      const shim = shims[source];
      return shim && path.join(folder, shim);
    },
    transform(code, id) {
      // With the second tick, data written between the two would come before data written earlier.
      if (/readable-stream.*[\\/]destroy\.js/.test(id)) {
        const late = 'process.nextTick(emitConstructNT, stream)';
        if (!code.includes(late)) this.error(`readable-stream has no ${late} any more`);
        return code.replace(late, 'emitConstructNT(stream)');
      }
      // Its process has no streams, and a pipe ends all but those.
      if (/readable-stream.*[\\/]readable\.js/.test(id)) {
        const ends = 'dest !== process.stdout && dest !== process.stderr';
        if (!code.includes(ends)) this.error(`readable-stream has no ${ends} any more`);
        return code.replace(ends, '!dest._isStdio');
      }
      if (/node-inspect-extracted[\\/]dist[\\/]inspect\.js/.test(id))
        return withoutGetters(code, (why) => this.error(why));
      return undefined;
    },
  };
}

/** The replacements in the package behind `inspect`: reading `length` could call a getter of the program. */
const READS: readonly (readonly [read: string, instead: string])[] = [
  [
    '"number"==typeof t.length&&',
    '"value"in(Object.getOwnPropertyDescriptor(t,"length")||{})&&"number"==typeof t.length&&',
  ],
  [
    't.constructor.prototype.__lookupGetter__("length").call(t)',
    'Object.getPrototypeOf(Uint8Array.prototype).__lookupGetter__("length").call(t)',
  ],
];

function withoutGetters(code: string, fail: (why: string) => never): string {
  return READS.reduce((text, [read, instead]) => {
    if (text.split(read).length !== 2) fail(`node-inspect-extracted does not have ${read} once`);
    return text.replace(read, () => instead);
  }, code);
}
