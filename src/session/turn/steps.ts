import type { Agent } from '../../agents/agents.ts';
import { shortSystemPrompt, systemPrompt } from '../../agents/system-prompt.ts';
import { FaultError, type Fault } from '../../base/fault.ts';
import { hashText } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ReadyTool } from '../../tools/tool.ts';
import { previousCall } from '../calls/previous-call.ts';
import type { SessionContext } from '../context.ts';
import { costOf } from '../log/cost.ts';
import { fittingEffort, type Effort } from '../log/effort.ts';
import type { CompactionReason, ModelRef } from '../log/events.ts';
import { withFiles } from '../request/attached-files.ts';
import type { ContextBudget, RequestSources } from '../request/context-budget.ts';
import { messagesOf, newestOnPath } from '../request/messages.ts';
import type { Model } from '../request/model.ts';
import { LAST_STEP_NOTE } from '../request/steering.ts';
import type { RenderedMessages, RequestContent } from '../request/types.ts';
import { consume, type StepResult } from './processor.ts';
import { StepPreparation } from './step-preparation.ts';
import { callContext, unlessAborted, type Turn } from './turn.ts';

/** Ends the system prompt in the last request that an agent may make. */
const LAST_STEP = `\n\n${LAST_STEP_NOTE}`;

/** The loop, as its steps use it. */
export interface PreparedStep {
  /** Has the conversation summarized, with retries. Returns the fault if that makes no room. */
  makeRoom(reason: CompactionReason, model: Model, step: number): Promise<Fault | undefined>;
  /** Returns the model for a summary that the person asked for, once. */
  takeSummaryRequest(): ModelRef | null;
  /** Called when a step starts: its request includes every prompt that is in the state. */
  promptsIncluded(): void;
}

interface Step {
  readonly messageID: string;
  readonly agent: string;
  readonly model: Model;
  readonly tools: readonly ReadyTool[];
  readonly content: RequestContent;
  /** The request's messages, grouped by the session's messages. */
  readonly rendered: readonly RenderedMessages[];
  /** Whether this is the last step that its agent may take. */
  readonly lastStep: boolean;
}

export interface StepEnd {
  readonly messageID: string;
  readonly model: Model;
  readonly result: StepResult;
  readonly lastStep: boolean;
}

/** Runs the steps of a session's turns. */
export class Steps {
  readonly #session: SessionContext;
  readonly #sources: RequestSources;
  readonly #budget: ContextBudget;
  readonly #host: PreparedStep;
  readonly #preparation: StepPreparation;
  #pausedFor = 0;

  constructor(session: SessionContext, sources: RequestSources, budget: ContextBudget, host: PreparedStep) {
    this.#session = session;
    this.#sources = sources;
    this.#budget = budget;
    this.#host = host;
    this.#preparation = new StepPreparation(session, sources.history);
  }

  /** How long the person has paused requests and answers so far, in milliseconds. */
  get pausedFor(): number {
    return this.#pausedFor;
  }

  /** Runs the step with this number in its turn: one model call, followed by its tool calls. */
  async run(index: number, turn: Turn): Promise<StepEnd> {
    const step = await this.#start(index, turn);
    const { messageID, model, lastStep } = step;
    const { log } = this.#session;
    const result = await this.#answer(step, turn);
    await this.#countingPause(
      this.#session.family.stepper()?.response({ log, signal: turn.signal }, messageID, result),
    );
    if (result.calls.length > 0) await this.#runCalls(step, result, turn);
    const { reason, usage, fault } = result;
    const cost = model.price && costOf(usage, model.price);
    log.append({
      type: 'step.ended',
      messageID,
      reason,
      usage,
      ...(cost !== undefined && { cost }),
      ...(fault && { fault }),
    });
    return { messageID, model, result, lastStep };
  }

  /** Prepares a step whose request fits its model, and appends its start to the log. */
  async #start(index: number, turn: Turn): Promise<Step> {
    const { log, deps } = this.#session;
    const { signal } = turn;
    let ready = await this.#preparation.ready(turn);
    const asked = this.#host.takeSummaryRequest();
    if (asked) {
      const fault = await this.#host.makeRoom(
        'person',
        await unlessAborted(signal, this.#session.model(asked)),
        index,
      );
      if (fault && fault.code !== 'nothing-to-sum-up') this.#session.problem(fault);
    }
    // Nothing is awaited between the last check and the step's start: a prompt in between would fork the
    // path.
    while (log.behind || this.#preparation.unread()) {
      if (log.behind) await unlessAborted(signal, log.barrier('relaxed'));
      else ready = await this.#preparation.ready(turn);
    }
    const { model, tools, agent, ownPrompt, instructions } = ready;
    const lastStep = index === agent.steps - 1;
    const prompt =
      this.#sources.history.system(agent.name) ??
      (model.isSmall ? shortSystemPrompt : systemPrompt)(ownPrompt, turn.environment, instructions);
    const system = lastStep ? prompt + LAST_STEP : prompt;
    const specs = tools.map(({ id, description, schema }) => ({ name: id, description, schema }));
    const { state } = log;
    const settings = settingsFor(model, state.effort, agent.sampling);
    const compose = () => {
      const conversation = this.#sources.conversation.render(state.head, model.ref, index);
      const messages = messagesOf(conversation);
      return { conversation, content: { system, messages, tools: specs, settings } };
    };
    let { content, conversation } = compose();
    if (this.#budget.isFull(content, model) && this.#budget.prune(0)) ({ content, conversation } = compose());
    if (this.#budget.isFull(content, model)) {
      const fault = await this.#host.makeRoom('limit', model, index);
      if (fault) throw new FaultError(fault);
      return this.#start(index, turn);
    }
    this.#host.promptsIncluded();
    const parentID = state.head ?? '';
    const messageID = deps.ids.next('msg');
    const previous =
      newestOnPath(this.#sources.history, state.head, ({ request }) => request !== undefined)?.id ?? null;
    const { ref, blobs } = this.#sources.requests.add(messageID, previous, content);
    const request = { ...ref, ...this.#budget.sizeAndLimit(content, model) };
    log.append(
      {
        type: 'step.started',
        messageID,
        parentID,
        step: index,
        agent: agent.name,
        model: model.ref,
        request,
      },
      blobs,
    );
    return { messageID, agent: agent.name, model, tools, content, rendered: conversation, lastStep };
  }

  /** Sends the request, or the person's edited version of it, and returns the model's answer. */
  async #answer(step: Step, { signal }: Turn): Promise<StepResult> {
    const { messageID, model, content, rendered } = step;
    const { log } = this.#session;
    const stepper = this.#session.family.stepper();
    const edited = await this.#countingPause(
      stepper?.request({ log, signal }, messageID, { content, rendered }, (edited) => {
        const { ref, blobs } = this.#sources.requests.whole(edited);
        return { ref: { ...ref, sizes: this.#budget.sizes(edited) }, blobs };
      }),
    );
    if (edited?.lasting) this.#replaceMessages(step, edited.lasting);
    if (edited?.systemLasts) this.#replaceSystem(step, edited.content.system);
    const sent = edited?.content ?? content;
    // Everything before this step is on disk already: its calls ended only when their results were.
    await unlessAborted(signal, log.requireStorage());
    let bodySent: Promise<void> = Promise.resolve();
    const stream = model.stream({
      ...sent,
      cacheKey: log.state.sessionID,
      messages: await unlessAborted(
        signal,
        withFiles(sent.messages, (hash) => log.readBlob(hash)),
      ),
      signal,
      onBody: (body) => {
        bodySent = this.#session.recordBody(messageID, body, signal);
      },
      onBlob: (blob) => log.addBlob(blob),
    });
    const result = await consume(
      stream,
      (part) => log.append({ type: 'step.part', messageID, part }),
      signal,
    );
    if (!result.aborted) await unlessAborted(signal, bodySent);
    return result;
  }

  async #countingPause<T>(promise: Promise<T> | undefined): Promise<T | undefined> {
    if (!promise) return undefined;
    const { clock } = this.#session.deps;
    const since = clock.now();
    try {
      return await promise;
    } finally {
      this.#pausedFor += clock.now() - since;
    }
  }

  /** Records the person's lasting edits, which apply from the next request on. */
  #replaceMessages({ model }: Step, lasting: readonly RenderedMessages[]): void {
    for (const { messageID, rendered } of lasting) {
      const text = JSON.stringify(rendered);
      const told = hashText(text);
      this.#sources.history.keepRetold(told, rendered);
      const blob = { hash: told, bytes: new TextEncoder().encode(text) };
      this.#session.log.append({ type: 'message.retold', messageID, model: model.ref, told }, [blob]);
    }
  }

  #replaceSystem({ messageID, agent, lastStep }: Step, system: string): void {
    // The note is only for the last step, so it must not become part of the lasting prompt.
    const text = lastStep && system.endsWith(LAST_STEP) ? system.slice(0, -LAST_STEP.length) : system;
    const told = hashText(text);
    this.#sources.history.keepSystem(told, text);
    const blob = { hash: told, bytes: new TextEncoder().encode(text) };
    this.#session.log.append({ type: 'system.retold', messageID, agent, told }, [blob]);
  }

  async #runCalls(step: Step, result: StepResult, turn: Turn): Promise<void> {
    const { signal, repetitions, runCalls, refused } = turn;
    const { messageID, agent, model, tools, lastStep } = step;
    await runCalls(
      callContext(this.#session, turn, (tool) =>
        previousCall(this.#sources.history, this.#session.log.state.head, tool),
      ),
      {
        messageID,
        agent,
        model: model.ref,
        signal,
        result,
        tools,
        lastStep,
        repetitions,
        refused,
      },
    );
  }
}

function settingsFor(
  { efforts = [], takesNoTemperature }: Model,
  wanted: Effort | undefined,
  sampling: Agent['sampling'],
): JsonObject {
  const reasoning = wanted && fittingEffort(wanted, efforts);
  return {
    ...(reasoning !== undefined && { reasoning }),
    ...(!takesNoTemperature && sampling),
  };
}
