/** An algorithm as a program names it, with its canonical name. */
export interface Algorithm {
  readonly name: string;
  readonly [part: string]: unknown;
}

/** The allowed uses of each kind of key. For pairs, those of the private and of the public key. */
export const USES: Readonly<
  Record<
    string,
    {
      readonly secret?: readonly string[];
      readonly private?: readonly string[];
      readonly public?: readonly string[];
    }
  >
> = {
  HMAC: { secret: ['sign', 'verify'] },
  'AES-GCM': { secret: ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] },
  'AES-CBC': { secret: ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] },
  'AES-CTR': { secret: ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] },
  'AES-KW': { secret: ['wrapKey', 'unwrapKey'] },
  PBKDF2: { secret: ['deriveKey', 'deriveBits'] },
  HKDF: { secret: ['deriveKey', 'deriveBits'] },
  ECDSA: { private: ['sign'], public: ['verify'] },
  Ed25519: { private: ['sign'], public: ['verify'] },
  Ed448: { private: ['sign'], public: ['verify'] },
  'RSASSA-PKCS1-v1_5': { private: ['sign'], public: ['verify'] },
  'RSA-PSS': { private: ['sign'], public: ['verify'] },
  'RSA-OAEP': { private: ['decrypt', 'unwrapKey'], public: ['encrypt', 'wrapKey'] },
  ECDH: { private: ['deriveKey', 'deriveBits'], public: [] },
  X25519: { private: ['deriveKey', 'deriveBits'], public: [] },
  X448: { private: ['deriveKey', 'deriveBits'], public: [] },
};

export const NAMES = new Map(Object.keys(USES).map((name) => [name.toLowerCase(), name]));
const AES_KEY = ['AesKeyGenParams', 'length'];
const AES_DERIVED = ['AesDerivedKeyParams', 'length'];
const HASHED = ['RsaHashedImportParams', 'hash'];
const HASHED_NEW = ['RsaHashedKeyGenParams', 'hash', 'modulusLength', 'publicExponent'];
const EC_NEW = ['EcKeyGenParams', 'namedCurve'];
const EC_KEY = ['EcKeyImportParams', 'namedCurve'];
const AGREED = ['EcdhKeyDeriveParams', 'public'];
const CRYPT = {
  'AES-CBC': ['AesCbcParams', 'iv'],
  'AES-CTR': ['AesCtrParams', 'counter', 'length'],
  'AES-GCM': ['AesGcmParams', 'iv'],
  'RSA-OAEP': [],
};
const SIGNED = {
  ECDSA: ['EcdsaParams', 'hash'],
  Ed25519: [],
  Ed448: [],
  HMAC: [],
  'RSA-PSS': ['RsaPssParams', 'saltLength'],
  'RSASSA-PKCS1-v1_5': [],
};
/** The parameters that each operation needs, keyed by algorithm, after the name of their dictionary. */
export const PARAMS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  crypt: CRYPT,
  wrap: { ...CRYPT, 'AES-KW': [] },
  sign: SIGNED,
  derive: {
    ECDH: AGREED,
    HKDF: ['HkdfParams', 'hash', 'info', 'salt'],
    PBKDF2: ['Pbkdf2Params', 'hash', 'iterations', 'salt'],
    X25519: AGREED,
    X448: AGREED,
  },
  generate: {
    'AES-CBC': AES_KEY,
    'AES-CTR': AES_KEY,
    'AES-GCM': AES_KEY,
    'AES-KW': AES_KEY,
    ECDH: EC_NEW,
    ECDSA: EC_NEW,
    Ed25519: [],
    Ed448: [],
    HMAC: ['HmacKeyGenParams', 'hash'],
    'RSA-OAEP': HASHED_NEW,
    'RSA-PSS': HASHED_NEW,
    'RSASSA-PKCS1-v1_5': HASHED_NEW,
    X25519: [],
    X448: [],
  },
  derived: {
    'AES-CBC': AES_DERIVED,
    'AES-CTR': AES_DERIVED,
    'AES-GCM': AES_DERIVED,
    'AES-KW': AES_DERIVED,
    HKDF: [],
    HMAC: ['HmacImportParams', 'hash'],
    PBKDF2: [],
  },
  import: {
    ...Object.fromEntries(Object.keys(USES).map((name) => [name, []])),
    ECDH: EC_KEY,
    ECDSA: EC_KEY,
    HMAC: ['HmacImportParams', 'hash'],
    'RSA-OAEP': HASHED,
    'RSA-PSS': HASHED,
    'RSASSA-PKCS1-v1_5': HASHED,
  },
};
export const FORMATS = ['raw', 'pkcs8', 'spki', 'jwk'];
export const USAGES = [
  ...['encrypt', 'decrypt', 'sign', 'verify'],
  ...['deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey'],
];
export const isAes = (name: string) => name.startsWith('AES-');
export const isRsaName = (name: string) => name.startsWith('RSA');
