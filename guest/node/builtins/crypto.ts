import type { MakeBuiltin } from './builtin.ts';
import { constants } from './crypto/constants.ts';
import { CryptoContext } from './crypto/context.ts';
import { platform } from './crypto/fill-random.ts';
import { makeDerivationMembers } from './crypto/derivation-members.ts';
import { hashNames } from './crypto/hashes.ts';
import { makeHashing } from './crypto/hashing.ts';
import { LazyKeys } from './crypto/key-members.ts';
import { KeyObject, makeSecretKeys } from './crypto/key-object.ts';
import { makeRandom } from './crypto/random.ts';
import { makeSubtle } from './crypto/subtle.ts';
import { timingSafeEqual } from './crypto/timing-safe-equal.ts';
import { refusals } from './internal/errors.ts';

export const makeCrypto: MakeBuiltin = (host, load) => {
  const context = new CryptoContext(load);
  const keys = new LazyKeys(host, context);
  const { createHash, createHmac, hash, Hash, Hmac } = makeHashing(context);
  const random = makeRandom(context.Buffer);
  const module = {
    ...refusals('crypto'),
    ...keys.members(),
    constants,
    createHash,
    createHmac,
    createSecretKey: makeSecretKeys(load),
    getFips: () => 0,
    getHashes: () => [...hashNames],
    getRandomValues: (values: never): unknown => platform.getRandomValues(values),
    Hash,
    hash,
    ...makeDerivationMembers(context),
    Hmac,
    KeyObject,
    ...random,
    secureHeapUsed: () => ({ total: 0, used: 0, utilization: 0, min: 2 }),
    setEngine: () => undefined,
    setFips: () => undefined,
    subtle: makeSubtle(() => keys.get()),
    timingSafeEqual,
    webcrypto: platform,
  };
  for (const name of ['prng', 'pseudoRandomBytes', 'rng'])
    Object.defineProperty(module, name, { value: random.randomBytes, configurable: true, writable: true });
  return module;
};
