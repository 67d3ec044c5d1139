export interface HighlightRequest {
  readonly id: number;
  readonly code: string;
  readonly language: string;
}

export interface HighlightResponse {
  readonly id: number;
  readonly lines: readonly Line[] | null;
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
