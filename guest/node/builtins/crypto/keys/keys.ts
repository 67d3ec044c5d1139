import { makeCiphers } from './ciphers.ts';
import { KeyCodec } from './codec.ts';
import { makeDiffieHellman } from './dh.ts';
import { makePairs } from './pairs.ts';
import { SubtleMethods } from './subtle.ts';
import type { KeyTools } from './tools.ts';

/** Makes the members of `crypto` for ciphers, keys and signatures. */
export function makeKeys(tools: KeyTools) {
  const codec = new KeyCodec(tools);
  tools.keys.usePairCodec(codec);
  return {
    ...makeCiphers(tools),
    ...makeDiffieHellman(tools),
    ...makePairs(tools, codec),
    subtle: new SubtleMethods(tools, codec),
  };
}

export type MakeKeys = typeof makeKeys;
export type Keys = ReturnType<MakeKeys>;
