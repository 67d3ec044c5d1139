export interface HookContext {
  readonly conditions: readonly string[];
  readonly importAttributes: Readonly<Record<string, string>> | undefined;
  readonly parentURL?: string | undefined;
  readonly format?: string | null | undefined;
}

export interface Resolution {
  readonly url: string;
  readonly format?: string | null | undefined;
  readonly importAttributes?: Readonly<Record<string, string>>;
  readonly shortCircuit?: boolean;
}

export interface Loaded {
  readonly format?: string | null | undefined;
  readonly source?: unknown;
  readonly shortCircuit?: boolean;
}
