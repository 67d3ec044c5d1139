import { nodeError } from '../internal/errors.ts';
import type { RunningHash } from './hashes.ts';

/** The state of a hash or an HMAC: it takes bytes until its digest is read, which is possible once. */
export class DigestState {
  readonly #running: RunningHash;
  #isRead = false;
  /** The digest of a stream that has ended. It can still be read. */
  #ended: Uint8Array | undefined;

  constructor(running: RunningHash) {
    this.#running = running;
  }

  get isRead(): boolean {
    return this.#isRead;
  }

  needOpen(): void {
    if (this.#isRead || this.#ended) throw finalized();
  }

  update(bytes: Uint8Array): void {
    this.#running.update(bytes);
  }

  /** Ends a stream: no bytes are taken any more. */
  end(): Uint8Array {
    this.#ended = this.#running.digest();
    return this.#ended;
  }

  read(): Uint8Array {
    if (this.#isRead) throw finalized();
    this.#isRead = true;
    return this.#ended ?? this.#running.digest();
  }

  clone(): RunningHash {
    this.needOpen();
    return this.#running.clone();
  }
}

function finalized(): Error {
  return nodeError('ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
}
