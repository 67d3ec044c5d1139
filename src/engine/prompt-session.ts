import type {
  CreateOptions,
  PromptAPI,
  PromptMessage,
  PromptOptions,
  PromptSession,
} from '../models/browser/prompt-api.ts';
import type { LoadedModel } from './model-memory.ts';

/** Runs `work` with the model, which stays in memory until it is done. */
export type UseModel = <R>(work: (model: LoadedModel) => Promise<R>, signal?: AbortSignal) => Promise<R>;

/** More is hardly ever an answer: small models that go on tend to repeat themselves. */
const LONGEST_ANSWER = 1_024;
/** An answer with fewer tokens is of no use. */
const SHORTEST_ANSWER = 32;

/**
 * A model in the tab, as the Prompt API would show it, so that whatever is built for the browser's own model (the short system
 * prompt, the calls as JSON, the faults) serves here as well.
 */
export function tabPromptAPI(isKept: () => Promise<boolean>, use: UseModel): PromptAPI {
  return {
    availability: async () => ((await isKept()) ? 'available' : 'downloadable'),
    async create({ initialPrompts = [], signal }: CreateOptions = {}) {
      signal?.throwIfAborted();
      const contextWindow = await use(async (model) => model.contextWindow, signal);
      signal?.throwIfAborted();
      return new TabSession(use, contextWindow, initialPrompts);
    },
  };
}

class TabSession implements PromptSession {
  readonly contextWindow: number;
  contextUsage = 0;
  readonly #use: UseModel;
  readonly #before: readonly PromptMessage[];
  readonly #over = new AbortController();

  constructor(use: UseModel, contextWindow: number, before: readonly PromptMessage[]) {
    this.contextWindow = contextWindow;
    this.#use = use;
    this.#before = before;
  }

  /** The count is that of the whole conversation, because templates count no part of one alone. */
  measureContextUsage(input: readonly PromptMessage[], { signal }: PromptOptions = {}): Promise<number> {
    const over = this.#until(signal);
    return this.#use((model) => this.#count(model, input, over), over);
  }

  promptStreaming(
    input: readonly PromptMessage[],
    { responseConstraint, signal }: PromptOptions = {},
  ): ReadableStream<string> {
    const left = new AbortController();
    const over = this.#until(signal, left.signal);
    return new ReadableStream<string>({
      start: (controller) => {
        // An error thrown here would be thrown by this call, and not by the stream, as the Prompt API has it.
        if (responseConstraint)
          return controller.error(
            new DOMException('This engine keeps answers to no schema.', 'NotSupportedError'),
          );
        if (over.aborted) return controller.error(over.reason);
        this.#generate(input, over, (text) => controller.enqueue(text)).then(
          () => controller.close(),
          (error: unknown) => controller.error(error),
        );
      },
      cancel: () => left.abort(),
    });
  }

  destroy(): void {
    // The model stays in memory for the next step.
    this.#over.abort();
  }

  #until(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
    return AbortSignal.any([this.#over.signal, ...signals.filter((signal) => signal !== undefined)]);
  }

  async #count({ link }: LoadedModel, input: readonly PromptMessage[], signal: AbortSignal): Promise<number> {
    const messages = [...this.#before, ...input];
    return (await link.ask({ type: 'count', messages }, 'counted', { signal })).tokens;
  }

  async #generate(
    input: readonly PromptMessage[],
    signal: AbortSignal,
    text: (text: string) => void,
  ): Promise<void> {
    await this.#use(async (model) => {
      const room = this.contextWindow - (await this.#count(model, input, signal));
      if (room < SHORTEST_ANSWER)
        throw new DOMException('The conversation is too long.', 'QuotaExceededError');
      const limit = Math.min(room, LONGEST_ANSWER);
      const messages = [...this.#before, ...input];
      const counts = await model.link.ask({ type: 'generate', messages, limit }, 'done', { text, signal });
      this.contextUsage = counts.input + counts.output;
    }, signal);
  }
}
