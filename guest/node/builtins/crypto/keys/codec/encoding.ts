/** How a key is written. */
export interface Encoding {
  readonly format?: unknown;
  readonly type?: unknown;
  readonly cipher?: unknown;
  readonly passphrase?: unknown;
}

export interface KeyInput extends Encoding {
  readonly key?: unknown;
  readonly encoding?: unknown;
}
