export interface ShrinkRequest {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mediaType: string;
}

/** `same`: the picture fits as it is. `unreadable`: the browser cannot read it. */
export type ShrinkResponse =
  | { readonly kind: 'same' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'smaller'; readonly bytes: Uint8Array<ArrayBuffer>; readonly mediaType: string };
