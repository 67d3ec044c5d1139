import { answer, invalidDigest, outputOf, pairOf, type PairContext } from './context.ts';
import { signWith, verifyWith } from './signing.ts';

/** Makes the functions and classes of `crypto` that sign and verify. */
export function makeSignatures(context: PairContext) {
  const { tools } = context;
  const { hashes } = tools;
  const errors: typeof tools.errors = tools.errors;
  const { nodeError } = errors;
  const { Sign, Verify } = makeSignatureClasses(context);

  function needDigest(digest: unknown): string | null | undefined {
    if (digest === null || digest === undefined) return digest;
    errors.needString(digest, 'algorithm');
    if (!hashes.hashNamed(digest)) throw invalidDigest(tools, digest);
    return digest;
  }

  return {
    Sign,
    Verify,
    createSign: (digest: unknown, options?: object) => new Sign(digest, options),
    createVerify: (digest: unknown, options?: object) => new Verify(digest, options),
    sign(digest: unknown, data: unknown, key: unknown, callback?: unknown): unknown {
      const run = () => {
        if (!key) throw nodeError('ERR_CRYPTO_SIGN_KEY_REQUIRED', 'No key provided to sign');
        const chosen = needDigest(digest);
        const bytes = tools.bytesOf(data, 'data');
        return outputOf(tools, signWith(tools, chosen, bytes, key, pairOf(context, key, 'private')));
      };
      return answer(tools, run, callback);
    },
    verify(digest: unknown, data: unknown, key: unknown, signature: unknown, callback?: unknown): unknown {
      const run = () => {
        const chosen = needDigest(digest);
        const bytes = tools.bytesOf(data, 'data');
        const material = pairOf(context, key, 'public');
        return verifyWith(tools, chosen, bytes, key, material, tools.bytesOf(signature, 'signature'));
      };
      return answer(tools, run, callback);
    },
  };
}

function makeSignatureClasses(context: PairContext) {
  const { tools } = context;
  const { Buffer, Writable, hashes } = tools;
  const errors: typeof tools.errors = tools.errors;
  const { nodeError, plainError } = errors;

  class Gathering extends Writable {
    protected readonly digest: string;
    readonly #parts: Uint8Array[] = [];
    constructor(digest: unknown, options?: object) {
      errors.needString(digest, 'algorithm');
      super(options);
      if (!hashes.hashNamed(digest))
        throw plainError('ERR_CRYPTO_INVALID_DIGEST', 'Invalid digest', TypeError);
      this.digest = digest;
    }
    update(data: unknown, encoding?: unknown): this {
      this.#parts.push(Uint8Array.from(tools.bytesOf(data, 'data', encoding)));
      return this;
    }
    override _write(chunk: unknown, encoding: string, done: (error?: Error) => void): void {
      this.update(chunk, encoding);
      done();
    }
    protected gathered(): Uint8Array {
      return Buffer.concat(this.#parts);
    }
  }

  class Sign extends Gathering {
    sign(key: unknown, encoding?: unknown): unknown {
      if (!key) throw nodeError('ERR_CRYPTO_SIGN_KEY_REQUIRED', 'No key provided to sign');
      const material = pairOf(context, key, 'private');
      return outputOf(tools, signWith(tools, this.digest, this.gathered(), key, material), encoding);
    }
  }

  class Verify extends Gathering {
    verify(key: unknown, signature: unknown, encoding?: unknown): boolean {
      const bytes = tools.bytesOf(signature, 'signature', encoding);
      const material = pairOf(context, key, 'public');
      return verifyWith(tools, this.digest, this.gathered(), key, material, bytes);
    }
  }

  return { Sign, Verify };
}
