import type { Availability } from '../../../src/models/browser/prompt-api.ts';

export interface FakeOptions {
  readonly availability: Availability;
  /** One text for each prompt, in order; the last one is repeated. */
  readonly answers: readonly string[];
  /** How many tokens fit; one token is four characters. Default: 9,216, as in Chrome. */
  readonly contextWindow?: number;
  /** Whether the engine refuses to keep answers to a schema. */
  readonly refusesSchemas?: boolean;
  /** The name of a `DOMException` with which every prompt fails after its first words. */
  readonly failsWith?: string;
}

/** What pages that use the fake gave it, in order. Tests read it from `globalThis.promptAPICalls`. */
export interface FakeCalls {
  readonly created: { readonly initialPrompts: readonly { role: string; content: string }[] }[];
  readonly prompted: { readonly input: unknown; readonly constrained: boolean }[];
  destroyed: number;
}

/**
 * Puts a Prompt API with canned answers into the page, in place of the browser's. It keeps to the rules of
 * https://webmachinelearning.github.io/prompt-api/: a system prompt stands first, a download needs a click, what does
 * not fit is refused, an abort rejects, a destroyed session answers no more. It uses nothing outside itself, so that
 * Playwright can send it to a page.
 */
export function installPromptAPI(options: FakeOptions): FakeCalls {
  const { answers, contextWindow = 9_216, refusesSchemas = false, failsWith } = options;
  const calls: FakeCalls = { created: [], prompted: [], destroyed: 0 };
  let availability = options.availability;
  const tokens = (messages: readonly { readonly content: string }[]) =>
    messages.reduce((sum, { content }) => sum + Math.ceil(content.length / 4), 0);
  const error = (name: string, message: string) => new DOMException(message, name);

  class Session {
    contextUsage: number;
    readonly contextWindow = contextWindow;
    #destroyed = false;

    constructor(used: number) {
      this.contextUsage = used;
    }

    async measureContextUsage(input: readonly { content: string }[]) {
      return tokens(input);
    }

    promptStreaming(
      input: readonly { role: string; content: string }[],
      { signal, responseConstraint }: { signal?: AbortSignal; responseConstraint?: object } = {},
    ) {
      calls.prompted.push({ input, constrained: responseConstraint !== undefined });
      const answer = answers[Math.min(calls.prompted.length, answers.length) - 1] ?? '';
      const pieces = answer.match(/[\s\S]{1,7}/g) ?? [];
      let index = 0;
      return new ReadableStream<string>({
        start: (controller) => {
          const abort = () => controller.error(error('AbortError', 'The prompt was aborted.'));
          if (signal?.aborted) abort();
          signal?.addEventListener('abort', abort);
        },
        pull: (controller) => {
          if (this.#destroyed) throw error('InvalidStateError', 'The session was destroyed.');
          if (responseConstraint && refusesSchemas)
            throw error('NotSupportedError', 'The schema is not supported.');
          if (this.contextUsage + tokens(input) > contextWindow)
            throw error('QuotaExceededError', 'The input is too large.');
          if (failsWith && index === 1) throw error(failsWith, 'The engine stopped.');
          const piece = pieces[index++];
          if (piece !== undefined) return controller.enqueue(piece);
          this.contextUsage += tokens(input) + Math.ceil(answer.length / 4);
          controller.close();
        },
      });
    }

    destroy() {
      if (!this.#destroyed) calls.destroyed++;
      this.#destroyed = true;
    }
  }

  async function download(monitor: ((target: EventTarget) => void) | undefined) {
    if (typeof navigator === 'undefined' || !navigator.userActivation?.isActive)
      throw error('NotAllowedError', 'A download needs a click.');
    availability = 'downloading';
    const target = new EventTarget();
    monitor?.(target);
    for (const loaded of [0, 0.25, 0.5, 1]) {
      target.dispatchEvent(
        new ProgressEvent('downloadprogress', { loaded, total: 1, lengthComputable: true }),
      );
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    availability = 'available';
  }

  class LanguageModel {
    static availability = async () => availability;

    static async create({
      initialPrompts = [],
      signal,
      monitor,
    }: {
      initialPrompts?: { role: string; content: string }[];
      signal?: AbortSignal;
      monitor?: (target: EventTarget) => void;
    } = {}) {
      signal?.throwIfAborted();
      if (initialPrompts.slice(1).some(({ role }) => role === 'system'))
        throw new TypeError('A system prompt must be the first one.');
      if (availability === 'unavailable') throw error('NotSupportedError', 'The model is unavailable.');
      if (availability !== 'available') await download(monitor);
      if (tokens(initialPrompts) > contextWindow)
        throw error('QuotaExceededError', 'The initial prompts are too large.');
      calls.created.push({ initialPrompts });
      return new Session(tokens(initialPrompts));
    }
  }

  Object.assign(globalThis, { LanguageModel, promptAPICalls: calls });
  return calls;
}
