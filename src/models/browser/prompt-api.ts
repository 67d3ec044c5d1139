/**
 * The part of the Prompt API that is used here: the language model of the browser itself. It follows
 * https://webmachinelearning.github.io/prompt-api/ as of November 2026.
 */
export interface PromptAPI {
  availability(options?: ExpectedLanguages): Promise<Availability>;
  create(options?: CreateOptions): Promise<PromptSession>;
}

/** `downloadable`: a call of `create`, after a click of the person, downloads the model. */
export type Availability = 'unavailable' | 'downloadable' | 'downloading' | 'available';

export interface ExpectedLanguages {
  readonly expectedInputs?: readonly Expectation[];
  readonly expectedOutputs?: readonly Expectation[];
}

interface Expectation {
  readonly type: 'text';
  readonly languages: readonly string[];
}

export interface CreateOptions extends ExpectedLanguages {
  readonly initialPrompts?: readonly PromptMessage[];
  readonly signal?: AbortSignal;
  /** Called with a target that emits `downloadprogress`; `loaded` is a fraction from 0 to 1. */
  readonly monitor?: (target: EventTarget) => void;
}

export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface PromptOptions {
  /** JSON Schema that the answer keeps to. */
  readonly responseConstraint?: object;
  /** Whether the browser leaves the schema out of what the model reads. */
  readonly omitResponseConstraintInput?: boolean;
  readonly signal?: AbortSignal;
}

export interface PromptSession {
  promptStreaming(input: readonly PromptMessage[], options?: PromptOptions): ReadableStream<string>;
  measureContextUsage(input: readonly PromptMessage[], options?: PromptOptions): Promise<number>;
  /** Both are in tokens. */
  readonly contextUsage: number;
  readonly contextWindow: number;
  destroy(): void;
}

/** The browsers that have the API warn about sessions for which no language was given. */
export const LANGUAGES: ExpectedLanguages = {
  expectedInputs: [{ type: 'text', languages: ['en'] }],
  expectedOutputs: [{ type: 'text', languages: ['en'] }],
};

/** Returns the API of this page, or `undefined` where the browser has none. */
export function promptAPI(): PromptAPI | undefined {
  const found: unknown = Reflect.get(globalThis, 'LanguageModel');
  return isPromptAPI(found) ? found : undefined;
}

function isPromptAPI(found: unknown): found is PromptAPI {
  return (
    typeof found === 'function' &&
    typeof Reflect.get(found, 'availability') === 'function' &&
    typeof Reflect.get(found, 'create') === 'function'
  );
}
