export interface HighlightRequest {
  readonly id: number;
  readonly code: string;
  readonly language: string;
}

/** The next lines of a request, in order. */
export interface HighlightResponse {
  readonly id: number;
  /** `null` if the text cannot be coloured (any further); nothing follows then. */
  readonly lines: readonly Line[] | null;
  /** True if nothing follows. */
  readonly last: boolean;
}

export type Line = readonly Span[];

export interface Span {
  readonly text: string;
  readonly kind: SpanKind | null;
}

export type SpanKind =
  | 'keyword'
  | 'string'
  | 'string-expression'
  | 'constant'
  | 'function'
  | 'parameter'
  | 'comment'
  | 'punctuation'
  | 'link';
