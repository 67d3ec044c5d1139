export interface WebQuery {
  readonly query: string;
  readonly numResults: number;
  readonly type: 'auto' | 'fast' | 'deep';
  /** The limit for all texts together. */
  readonly characters: number;
}

export interface WebHit {
  readonly title: string;
  readonly url: string;
  /** A date such as 2026-01-31. */
  readonly published?: string;
  readonly author?: string;
  readonly text: string;
}
