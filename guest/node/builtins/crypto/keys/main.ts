import { makeCiphers } from './ciphers.ts';
import { makeCodec } from './codec.ts';
import { makeDiffieHellman } from './dh.ts';
import { makePairs } from './pairs.ts';
import { makeSubtle } from './subtle.ts';
import type { KeyTools } from './tools.ts';

/** Ciphers, keys and signatures: a part of `node:crypto` that is fetched with its first use. */
function makeKeys(tools: KeyTools) {
  const codec = makeCodec(tools);
  tools.keys.usePairCodec({ export: codec.write, details: codec.details });
  return {
    ...makeCiphers(tools),
    ...makeDiffieHellman(tools),
    ...makePairs(tools, codec),
    subtle: makeSubtle(tools, codec),
  };
}

export type Keys = ReturnType<typeof makeKeys>;

// Taken from there by whoever runs this script.
Reflect.set(globalThis, '__vtr_part', makeKeys);
