import type {
  CreateOptions,
  PromptAPI,
  PromptMessage,
  PromptOptions,
  PromptSession,
} from '../models/browser/prompt-api.ts';
import type { EngineLink } from './link.ts';

/** A loaded model. */
export interface LoadedModel {
  readonly link: Pick<EngineLink, 'ask'>;
  readonly contextWindow: number;
}

/** More is hardly ever an answer: small models that go on tend to repeat themselves. */
const LONGEST_ANSWER = 1_024;
/** An answer with fewer tokens is of no use. */
const SHORTEST_ANSWER = 32;

/**
 * A model in the tab, as the Prompt API would show it, so that whatever is built for the browser's own model (the short system
 * prompt, the calls as JSON, the faults) serves here as well.
 */
export function tabPromptAPI(isKept: () => Promise<boolean>, load: () => Promise<LoadedModel>): PromptAPI {
  return {
    availability: async () => ((await isKept()) ? 'available' : 'downloadable'),
    async create({ initialPrompts = [], signal }: CreateOptions = {}) {
      signal?.throwIfAborted();
      const model = await load();
      signal?.throwIfAborted();
      return new TabSession(model, initialPrompts);
    },
  };
}

class TabSession implements PromptSession {
  readonly contextWindow: number;
  contextUsage = 0;
  readonly #link: LoadedModel['link'];
  readonly #before: readonly PromptMessage[];

  constructor({ link, contextWindow }: LoadedModel, before: readonly PromptMessage[]) {
    this.contextWindow = contextWindow;
    this.#link = link;
    this.#before = before;
  }

  /** The count is that of the whole conversation, because templates count no part of one alone. */
  async measureContextUsage(input: readonly PromptMessage[]): Promise<number> {
    const messages = [...this.#before, ...input];
    return (await this.#link.ask({ type: 'count', messages }, 'counted')).tokens;
  }

  promptStreaming(
    input: readonly PromptMessage[],
    { responseConstraint, signal }: PromptOptions = {},
  ): ReadableStream<string> {
    const left = new AbortController();
    const over = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
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
    // The model stays loaded for the next step.
  }

  async #generate(
    input: readonly PromptMessage[],
    signal: AbortSignal,
    text: (text: string) => void,
  ): Promise<void> {
    const room = this.contextWindow - (await this.measureContextUsage(input));
    if (room < SHORTEST_ANSWER) throw new DOMException('The conversation is too long.', 'QuotaExceededError');
    const limit = Math.min(room, LONGEST_ANSWER);
    const messages = [...this.#before, ...input];
    const counts = await this.#link.ask({ type: 'generate', messages, limit }, 'done', { text, signal });
    this.contextUsage = counts.input + counts.output;
  }
}
