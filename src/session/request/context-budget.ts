import type { Fault } from '../../base/fault.ts';
import { compaction } from '../../agents/hidden.ts';
import { splitForSummary, requestAbout, tailTokens, usableTokens } from './compaction.ts';
import { correctionBy, tokensOf, totalOf } from './context-size.ts';
import { Sizes } from './request-sizes.ts';
import type { SessionContext } from '../context.ts';
import { costOf } from '../log/cost.ts';
import type { CompactionReason, ContextSizes, RequestRef } from '../log/events.ts';
import type { History } from '../log/history.ts';
import { headPath, newestOnPath, sentPath, textOf, type Conversation } from './messages.ts';
import type { Model } from './model.ts';
import { consume } from '../turn/processor.ts';
import { pruningOf } from './pruning.ts';
import type { RequestLog } from './request.ts';
import type { RequestContent } from './types.ts';
import type { Message } from '../log/state.ts';

/** The parts of a session's loop that its requests come from. */
export interface RequestSources {
  readonly history: History;
  readonly conversation: Conversation;
  readonly requests: RequestLog;
}

export interface Summing {
  readonly reason: CompactionReason;
  readonly model: Model;
  /** Number of the step in its turn. */
  readonly step: number;
  readonly signal: AbortSignal;
}

export type Summed =
  { readonly done: true } | { readonly done: false; readonly fault: Fault; readonly messageID?: string };

/** How many of the newest turns stay unchanged when room is made, automatically or for the person. */
const TAIL_TURNS = { unasked: 2, person: 1 } as const;
/** How many of the newest turns keep their outputs when the conversation is tidied after a turn. */
const PRUNE_TURNS = 2;
/** Above this share of the usable tokens, pruning old outputs is worthwhile. */
const PRUNE_ABOVE = 0.5;

/**
 * Keeps requests within the model's limit: it prunes old outputs and has earlier messages summarized. Both
 * are events; nothing in the conversation itself is changed.
 */
export class ContextBudget {
  readonly #session: SessionContext;
  readonly #sources: RequestSources;
  readonly #sizes = new Sizes();
  /** Whether room was made since the last successful step. It is made only once, to avoid an endless loop. */
  #made = false;

  constructor(session: SessionContext, sources: RequestSources) {
    this.#session = session;
    this.#sources = sources;
  }

  /** Call this after a successful step. */
  settled(): void {
    this.#made = false;
  }

  sizes(content: Omit<RequestContent, 'settings'>): ContextSizes {
    return this.#sizes.request(content);
  }

  /** The estimated size and the limit that a step's event records. */
  sizeAndLimit(content: RequestContent, { contextLimit }: Model): Pick<RequestRef, 'sizes' | 'limit'> {
    return { sizes: this.sizes(content), ...(contextLimit !== undefined && { limit: contextLimit }) };
  }

  /** Whether the request would leave no room for an answer. */
  isFull(content: RequestContent, { contextLimit, outputLimit }: Model): boolean {
    if (contextLimit === undefined || this.#made || !this.#session.compactsAutomatically) return false;
    return this.#tokens(this.sizes(content)) >= usableTokens(contextLimit, outputLimit);
  }

  /** Why no room may be made for a request that was refused as too long; `undefined` if it may. */
  refusal(fault: Fault): Fault | undefined {
    if (!this.#session.compactsAutomatically)
      return {
        ...fault,
        next: 'Summarize the conversation with /compact, or choose a model with a larger context.',
      };
    return this.#made ? STILL_FULL : undefined;
  }

  /**
   * Prunes old outputs, except those of the newest `turns` turns. Returns whether that gained enough to do
   * it.
   */
  prune(turns: number): boolean {
    const { log } = this.#session;
    const { history } = this.#sources;
    if (!this.#session.compactsAutomatically) return false;
    const pruning = pruningOf(this.#path(), history, turns);
    if (pruning) log.append({ type: 'outputs.pruned', ...pruning });
    return pruning !== undefined;
  }

  /** Prunes old outputs after a turn, unless there is room enough: the provider's cache is cheaper. */
  tidy(): void {
    const { log } = this.#session;
    const { history } = this.#sources;
    const step = newestOnPath(history, log.state.head, ({ request }) => request?.sizes !== undefined);
    const { sizes, limit } = step?.request ?? {};
    if (sizes && limit !== undefined && this.#tokens(sizes) < usableTokens(limit) * PRUNE_ABOVE) return;
    this.prune(PRUNE_TURNS);
  }

  /** Has the conversation summarized. If that fails or is stopped, the conversation stays unchanged. */
  async sumUp({ reason, model, step, signal }: Summing): Promise<Summed> {
    const { log, deps } = this.#session;
    const { history, requests } = this.#sources;
    this.#made = reason !== 'person';
    const system = await compaction.prompt();
    const { head, tail, path } = this.#split(reason, model);
    if (head.length === 0 || head.every(({ purpose }) => purpose === 'compaction'))
      return { done: false, fault: reason === 'person' ? NOTHING_TO_SUM_UP : STILL_FULL };
    const before = this.#messages(path, model);
    const usable = model.contextLimit && usableTokens(model.contextLimit, model.outputLimit);
    // If the limit is unknown, it is only known that the refused request was too long.
    const room = (usable ?? before) / this.#correction() / (usable ? 1.25 : 2);
    const content: RequestContent = {
      system,
      messages: [{ role: 'user', content: requestAbout(head, history, room) }],
      tools: [],
      settings: {},
    };
    const messageID = deps.ids.next('msg');
    const { ref, blobs } = requests.add(messageID, null, content);
    const request = { ...ref, ...this.sizeAndLimit(content, model) };
    log.append(
      {
        type: 'step.started',
        messageID,
        parentID: log.head ?? '',
        step,
        agent: compaction.name,
        model: model.ref,
        request,
        purpose: 'compaction',
      },
      blobs,
    );
    await log.requireStored();
    const result = await consume(
      model.stream({
        ...content,
        purpose: 'compaction',
        cacheKey: log.state.sessionID,
        signal,
        onBody: (body) => void this.#session.recordBody(messageID, body, signal),
        onBlob: (blob) => log.addBlob(blob),
      }),
      (part) => log.append({ type: 'step.part', messageID, part }),
      signal,
    );
    for (const { callID } of result.calls)
      log.append({ type: 'call.ended', messageID, callID, ...NOT_RUN, attachments: [] });
    while (log.behind) await log.barrier('relaxed');
    const message = log.state.messages.get(messageID);
    const text = message ? textOf(message, history) : '';
    const { reason: finish, usage } = result;
    const fault = result.fault ?? (finish === 'content-filter' || text === '' ? NO_SUMMARY : undefined);
    const cost = model.price && costOf(usage, model.price);
    log.append({
      type: 'step.ended',
      messageID,
      reason: finish,
      usage,
      ...(cost !== undefined && { cost }),
      ...(fault && !result.aborted && { fault }),
    });
    if (result.aborted || fault) return { done: false, fault: summaryFault(fault ?? NO_SUMMARY), messageID };
    const after = Math.round(this.#messages(tail, model) + tokensOf(text) * this.#correction());
    log.append({
      type: 'context.compacted',
      messageID,
      tail: tail[0]?.id ?? null,
      reason,
      before,
      after,
    });
    return { done: true };
  }

  #split(reason: CompactionReason, model: Model) {
    const { conversation } = this.#sources;
    const usable = model.contextLimit && usableTokens(model.contextLimit, model.outputLimit);
    const tokens = tailTokens(usable) / this.#correction();
    const path = this.#path();
    const turns = reason === 'person' ? TAIL_TURNS.person : TAIL_TURNS.unasked;
    const size = (message: Message) => {
      const { messages, outputs, files } = this.#sizes.messages(conversation.of(message, model.ref));
      return messages + outputs + files;
    };
    const split = splitForSummary(path, size, { turns, tokens });
    // If the person asked, summarize everything rather than nothing.
    if (reason === 'person' && !split.head.some(({ purpose }) => purpose === undefined))
      return { head: path, tail: [], path };
    return { ...split, path };
  }

  /** Estimated tokens of these messages. */
  #messages(messages: readonly Message[], model: Model): number {
    const { conversation } = this.#sources;
    const made = messages.flatMap((message) => [...conversation.of(message, model.ref)]);
    const sizes = this.#sizes.messages(made);
    return Math.round((sizes.messages + sizes.outputs + sizes.files) * this.#correction());
  }

  /** The messages that are sent now, the newest summary first. */
  #path(): readonly Message[] {
    const { log } = this.#session;
    const { history } = this.#sources;
    const { summary, messages } = sentPath(headPath(history, log.state.head));
    return summary ? [summary.message, ...messages] : messages;
  }

  #tokens(sizes: ContextSizes): number {
    return totalOf(sizes) * this.#correction();
  }

  #correction(): number {
    const { log } = this.#session;
    const { history } = this.#sources;
    return correctionBy(
      newestOnPath(
        history,
        log.state.head,
        ({ request, usage, finish }) =>
          request?.sizes !== undefined && finish !== 'error' && (usage?.inputTokens ?? 0) > 0,
      ),
    );
  }
}

const NOT_RUN = {
  outcome: 'cancelled',
  output: 'Not run: a summary was requested.',
  title: '',
  metadata: {},
} as const;

const STILL_FULL: Fault = {
  code: 'context-full',
  what: 'The conversation does not fit into the model, and summarizing it does not help.',
  next: 'A very long message or file may be the cause: send less of it in a new session, or choose a model with a larger context.',
  retryable: false,
};

const NOTHING_TO_SUM_UP: Fault = {
  code: 'nothing-to-sum-up',
  what: 'There is nothing to summarize yet.',
};

const NO_SUMMARY: Fault = {
  code: 'no-summary',
  what: 'The model gave no summary.',
  next: 'Try again, or choose another model. The conversation is as it was.',
};

function summaryFault(fault: Fault): Fault {
  if (fault.code === 'context-overflow') return STILL_FULL;
  if (fault.code === 'no-summary') return fault;
  return { ...fault, what: `The conversation could not be summarized: ${fault.what}` };
}
