/** One HTTP request, with all of its body. */
export interface NetRequest {
  /** Absolute, with http or https. */
  readonly url: string;
  readonly method: string;
  readonly headers: NetHeaders;
  readonly body: Uint8Array | null;
  /** Of hosts outside: a redirect is an error, and not followed. */
  readonly redirect?: 'error';
}

export type NetHeaders = readonly (readonly [name: string, value: string])[];

/** Over the channel of an exchange, to whoever asked. `end` or `failed` is the last of it. */
export type FromServer =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly statusText: string;
      readonly headers: NetHeaders;
      /** Who answered in the end, where redirects were followed already. */
      readonly url?: string;
    }
  | { readonly kind: 'body'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** To whoever answers. */
export type ToServer =
  /** Nobody waits for it any more. */
  | { readonly kind: 'gone' }
  /** So many bytes of the body were read: at most {@link EXCHANGE_WINDOW} of them may wait to be. */
  | { readonly kind: 'used'; readonly bytes: number };

export const EXCHANGE_WINDOW = 512 * 1024;

/** What may be sent before some of it is read. */
export class Window {
  #free: number;
  #wake = () => {};

  constructor(bytes: number) {
    this.#free = bytes;
  }

  used(bytes: number): void {
    this.#free += bytes;
    this.#wake();
  }

  /** Takes so much of it; a promise where the next has to wait. Never rejects. */
  sent(bytes: number): Promise<void> | undefined {
    this.#free -= bytes;
    return this.#free > 0 ? undefined : this.#room();
  }

  async #room(): Promise<void> {
    while (this.#free <= 0) await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}
