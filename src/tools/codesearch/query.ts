export interface CodeQuery {
  readonly query: string;
  readonly language: readonly string[];
  readonly repo?: string | undefined;
  readonly path?: string | undefined;
  readonly useRegexp: boolean;
}

export interface CodeHit {
  /** Has the form `owner/name`. */
  readonly repo: string;
  readonly path: string;
  readonly url: string;
  readonly excerpts: readonly string[];
}
