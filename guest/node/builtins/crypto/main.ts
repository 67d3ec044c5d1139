import { makeCrypto } from '../crypto.ts';
import { CryptoKey } from './key-object.ts';
import { SubtleCrypto } from './subtle.ts';

/** `crypto`: a part of node that is fetched with its first use. */
const crypto = { CryptoKey, makeCrypto, SubtleCrypto };

export type Crypto = typeof crypto;

// The code that runs this script takes it from there.
Reflect.set(globalThis, '__vtr_part', crypto);
