/** One HTTP request, with all of its body. */
export interface NetRequest {
  /** Absolute, with http or https. */
  readonly url: string;
  readonly method: string;
  readonly headers: NetHeaders;
  readonly body: Uint8Array | null;
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

/** To whoever answers: nobody waits for it any more. */
export interface ToServer {
  readonly kind: 'gone';
}
