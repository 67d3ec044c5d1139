/** One HTTP request, with all of its body. */
export interface NetRequest {
  /** An absolute URL, with http or https. */
  readonly url: string;
  readonly method: string;
  readonly headers: NetHeaders;
  readonly body: Uint8Array | null;
  /** With `error`, a redirect of a host outside fails the request. By default it is followed. */
  readonly redirect?: 'error';
}

export type NetHeaders = readonly (readonly [name: string, value: string])[];

/** The value of the first header of this name. Both must be in lower case. */
export function headerOf(headers: NetHeaders, name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1];
}

/**
 * With this header a program asks the app to add the person's GitHub token to a request; its value is the access that is needed,
 * `read` or `write`. The app decides, and never sends the header on.
 */
export const GITHUB_TOKEN_HEADER = 'x-vitrine-github-token';

/** Messages over the channel of an exchange to the client. The last one is `end` or `failed`. */
export type FromServer =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly statusText: string;
      readonly headers: NetHeaders;
      /** The address that answered, where redirects were followed already. */
      readonly url?: string;
    }
  | { readonly kind: 'body'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** Messages to the server. */
export type ToServer =
  /** The client no longer waits for the answer. */
  | { readonly kind: 'gone' }
  /** The client has read this many bytes of the body. At most {@link EXCHANGE_WINDOW} unread bytes may be sent. */
  | { readonly kind: 'used'; readonly bytes: number };

export const EXCHANGE_WINDOW = 512 * 1024;

/** Limits how many bytes may be sent before the reader has read some of them. */
export class Window {
  readonly #bytes: number;
  #free: number;
  #wake = () => {};

  constructor(bytes: number) {
    this.#bytes = this.#free = bytes;
  }

  /** The reader says that it has read this many bytes. They never count for more than were sent. */
  used(bytes: number): void {
    this.#free = Math.min(this.#bytes, this.#free + bytes);
    this.#wake();
  }

  /** Counts sent bytes. Returns a promise where the sender must wait before it sends more. Never rejects. */
  sent(bytes: number): Promise<void> | undefined {
    this.#free -= bytes;
    return this.#free > 0 ? undefined : this.#room();
  }

  async #room(): Promise<void> {
    while (this.#free <= 0) await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}
