import type { KeyCodec } from './codec.ts';
import { diffieHellman, makeEcdh } from './pairs/agreement.ts';
import { makeKeyCreation } from './pairs/generation.ts';
import { makePrimes } from './pairs/primes.ts';
import { makeRsaEncryption } from './pairs/rsa-encryption.ts';
import { makeSignatures } from './pairs/signatures.ts';
import type { KeyTools } from './tools.ts';

/** The members of `crypto` for keys in pairs: generating, signing, encrypting and agreeing. */
export function makePairs(tools: KeyTools, codec: KeyCodec) {
  const context = { tools, codec };
  const ECDH = makeEcdh(tools);
  return {
    ECDH,
    createECDH: (name: unknown) => new ECDH(name),
    diffieHellman: (options: unknown, callback?: unknown) => diffieHellman(tools, options, callback),
    getCurves: () => ['prime256v1', 'secp256k1', 'secp384r1', 'secp521r1'],
    ...makePrimes(tools),
    ...makeKeyCreation(context),
    ...makeSignatures(context),
    ...makeRsaEncryption(context),
  };
}
