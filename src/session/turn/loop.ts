import { hashText } from '../../base/hash.ts';
import { unlessAborted as waitUnlessAborted } from '../../base/abort.ts';
import { FaultError, faultOf, type Fault } from '../../base/fault.ts';
import type { JsonObject } from '../../base/json.ts';
import { pause } from '../../base/timer.ts';
import { agentNamed, type Agent } from '../../agents/agents.ts';
import { systemPrompt, type Environment } from '../../agents/system-prompt.ts';
import type { ReadyTool } from '../../tools/tool.ts';
import { ROOT, type Workspace } from '../../workspace/workspace.ts';
import type { AbortReason } from '../calls/call-refusal.ts';
import type { runCalls } from '../calls/calls.ts';
import type { CallContext } from '../calls/types.ts';
import type { SessionContext } from '../context.ts';
import { costOf } from '../log/cost.ts';
import type { CompactionReason, ModelRef, TurnStatus } from '../log/events.ts';
import { fittingEffort, type Effort } from '../log/effort.ts';
import { withFiles } from '../request/attached-files.ts';
import { History } from '../log/history.ts';
import type { SessionLog } from '../log/log.ts';
import { Conversation, newestOnPath, textOf } from '../request/messages.ts';
import type { RenderedMessages } from '../request/types.ts';
import type { Model } from '../request/model.ts';
import { previousCall } from '../calls/previous-call.ts';
import { consume, type StepResult } from './processor.ts';
import { closingEvents } from '../log/recover.ts';
import type { Repetitions } from '../calls/repetitions.ts';
import { retryDelay } from './retry.ts';
import { RequestLog } from '../request/request.ts';
import type { RequestContent } from '../request/types.ts';
import { ContextBudget } from '../request/context-budget.ts';
import { LAST_STEP_NOTE } from '../request/steering.ts';
import type { Message } from '../log/state.ts';
import { CALL_MISSING, CUT_FAULTS, NOTHING_SAID, STEP_LIMIT } from './turn-faults.ts';

/** Ends the system prompt in the last request that an agent may make. */
const LAST_STEP = `\n\n${LAST_STEP_NOTE}`;

interface TurnEnd {
  readonly status: TurnStatus;
  readonly fault?: Fault;
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

interface StepEnd {
  readonly messageID: string;
  readonly model: Model;
  readonly result: StepResult;
  readonly lastStep: boolean;
}

interface TurnContext {
  readonly workspace: Workspace;
  readonly environment: Environment;
  readonly repetitions: Repetitions;
  readonly runCalls: typeof runCalls;
}

/**
 * Works on the prompts of one session until none is left. Each turn is a series of steps, and each step is
 * one model call followed by its tool calls. Everything it does is in the log; it never throws.
 */
export class Loop {
  readonly #session: SessionContext;
  readonly #history: History;
  readonly #conversation: Conversation;
  readonly #requests: RequestLog;
  readonly #budget: ContextBudget;
  /** Accepted prompts that no step includes yet. */
  #waiting: string[] = [];
  #running: Promise<void> | null = null;
  #abort = new AbortController();
  #retryNow: AbortController | null = null;
  /** Prompts whose mentioned files were read. */
  readonly #read = new Set<string>();
  /** The model for a summary that the person asked for. */
  #summing: ModelRef | null = null;
  #lastStatus: TurnStatus;
  /** How long the person has paused requests and answers so far, in milliseconds. */
  #pausedFor = 0;

  constructor(session: SessionContext) {
    this.#session = session;
    const { state } = session.log;
    this.#history = new History(state, session.deps.store);
    this.#conversation = new Conversation(this.#history);
    this.#requests = new RequestLog(this.#history);
    this.#budget = new ContextBudget(session, {
      history: this.#history,
      conversation: this.#conversation,
      requests: this.#requests,
      sent: (messageID, body) => void this.#sent(messageID, body),
    });
    this.#lastStatus = state.lastTurn?.status ?? 'idle';
  }

  /** Call this when a prompt is in the log and on disk: it starts a turn, or joins the running one. */
  accept(promptID: string): void {
    this.#waiting.push(promptID);
    this.#running ??= this.#run();
  }

  /** Ends the running turn. Open calls are closed now; work still running behind them ends by itself. */
  abort(): void {
    this.#stop('stopped');
  }

  /** Retries a failed step at once; does nothing if no step waits for its retry. */
  retryNow(): void {
    this.#retryNow?.abort();
  }

  /** Has the conversation summarized, before the next step or in a turn of its own. */
  sumUp(model: ModelRef): void {
    this.#summing = model;
    this.#running ??= this.#run();
  }

  /** Whether the running turn has been stopped and is about to end. */
  get stopping(): boolean {
    return this.#running !== null && this.#abort.signal.aborted;
  }

  async rested(): Promise<TurnStatus> {
    while (this.#running) await this.#running;
    return this.#lastStatus;
  }

  #stop(reason: AbortReason): void {
    if (!this.#running || this.#abort.signal.aborted) return;
    this.#session.cancelRequests();
    this.#abort.abort(reason);
  }

  async #run(): Promise<void> {
    for (;;) {
      const promptID = this.#waiting[0];
      if (promptID !== undefined) await this.#turn({ promptID }, () => this.#runSteps());
      else if (this.#summing) await this.#summaryTurn(this.#summing);
      else break;
    }
    // Nothing is awaited between the last check of the queue and this line.
    this.#running = null;
  }

  async #turn(of: { promptID: string; purpose?: 'compaction' }, work: () => Promise<TurnEnd>): Promise<void> {
    const { log } = this.#session;
    this.#abort = new AbortController();
    log.append({ type: 'turn.started', ...of });
    let end: TurnEnd;
    try {
      end = await work();
      if (end.status === 'idle') {
        this.#budget.tidy();
        await log.requireStored();
      }
    } catch (error) {
      const { signal } = this.#abort;
      end = signal.aborted ? abortedEnd(signal) : { status: 'error', fault: faultOf(error) };
      // Calls that still run end themselves, so that none ends twice.
      this.#stop('stopped');
      await shown(log);
      for (const body of closingEvents(log.state, { ...end, outcome: 'cancelled' }))
        if (body.type !== 'turn.ended') log.append(body);
    }
    // Work that was stopped or failed does not resume by itself; waiting prompts go along with the next one.
    if (end.status !== 'idle') this.#summing = null;
    if (end.status !== 'idle' && end.status !== 'rejected') this.#waiting = [];
    this.#waiting = this.#waiting.filter((id) => id !== of.promptID);
    this.#lastStatus = end.status;
    await log.appendStored({ type: 'turn.ended', ...end }, 'strict');
  }

  async #summaryTurn(ref: ModelRef): Promise<void> {
    const { log } = this.#session;
    await shown(log);
    const prompt = newestOnPath(this.#history, log.state.head, ({ role }) => role === 'user');
    const promptID = prompt?.id ?? '';
    await this.#turn({ promptID, purpose: 'compaction' }, async () => {
      this.#summing = null;
      const { signal } = this.#abort;
      await unlessAborted(signal, this.#history.load());
      const model = await unlessAborted(signal, this.#session.model(ref));
      const fault = await this.#makeRoom('person', model, 0);
      return {
        status: !fault || fault.code === 'nothing-to-sum-up' ? 'idle' : 'error',
        ...(fault && { fault }),
      };
    });
  }

  async #runSteps(): Promise<TurnEnd> {
    const { clock } = this.#session.deps;
    const { signal } = this.#abort;
    const turn = await unlessAborted(signal, this.#turnContext());
    await unlessAborted(signal, Promise.all([this.#startGate(), this.#history.load()]));
    this.#session.restoreOutputs(this.#history.parts());
    this.#session.snapshots.beforeTurn(turn.workspace);
    let failures = 0;
    let failingSince = 0;
    let said = false;
    for (let index = 0; ; index++) {
      if (signal.aborted) return abortedEnd(signal);
      const { messageID, model, result, lastStep } = await this.#step(index, turn);
      if (signal.aborted) return abortedEnd(signal);
      if (result.fault?.code === 'context-overflow') {
        const fault = this.#budget.refusal(result.fault) ?? (await this.#makeRoom('overflow', model, index));
        if (fault) return { status: 'error', fault };
        // A refused request does not count as a step.
        index--;
        continue;
      }
      if (result.fault) {
        const now = clock.now();
        // The time of the person's pauses does not count as time spent retrying.
        if (failures++ === 0) failingSince = now - this.#pausedFor;
        const elapsed = now - this.#pausedFor - failingSince;
        const delay = retryDelay(result.fault, { count: failures, elapsed });
        if (delay === undefined || lastStep) return { status: 'error', fault: result.fault };
        await this.#waitToRetry(messageID, failures, delay);
        continue;
      }
      failures = 0;
      this.#budget.settled();
      const cut = CUT_FAULTS[result.reason];
      if (cut) return { status: 'error', fault: cut };
      if (result.reason === 'tool-calls' && !result.said) return { status: 'error', fault: CALL_MISSING };
      said ||= result.said;
      if (result.calls.length === 0 && this.#waiting.length === 0)
        return said ? { status: 'idle' } : { status: 'error', fault: NOTHING_SAID };
      if (lastStep) return { status: 'idle', ...(result.calls.length > 0 && { fault: STEP_LIMIT }) };
    }
  }

  /** Has the conversation summarized, with retries. Returns the fault if that makes no room. */
  async #makeRoom(reason: CompactionReason, model: Model, step: number): Promise<Fault | undefined> {
    const { clock } = this.#session.deps;
    const { signal } = this.#abort;
    const since = clock.now();
    for (let count = 1; ; count++) {
      const summed = await this.#budget.sumUp({ reason, model, step, signal });
      if (summed.done) return undefined;
      if (signal.aborted) throw turnAborted();
      const { fault, messageID } = summed;
      const delay = retryDelay(fault, { count, elapsed: clock.now() - since });
      if (delay === undefined || messageID === undefined) return fault;
      await this.#waitToRetry(messageID, count, delay);
      if (signal.aborted) throw turnAborted();
    }
  }

  async #waitToRetry(messageID: string, attempt: number, delay: number): Promise<void> {
    const { log, deps } = this.#session;
    this.#retryNow = new AbortController();
    log.append({ type: 'step.waiting', messageID, attempt, delay });
    await pause(deps.timer, delay, AbortSignal.any([this.#abort.signal, this.#retryNow.signal]));
    this.#retryNow = null;
  }

  /** Without the saved rules, the session asks more often than it must, but that is no reason to stop. */
  async #startGate(): Promise<void> {
    const session = this.#session;
    await session.gate
      .startTurn()
      .catch((error: unknown) => session.problem(faultOf(error, 'rules-not-read')));
  }

  async #turnContext(): Promise<TurnContext> {
    const workspace = await this.#session.workspace();
    // The code that runs calls is not needed before the first turn.
    const [{ title, commands, notes }, { Repetitions, runCalls }] = await Promise.all([
      workspace.capabilities(),
      import('../calls/calls.ts'),
    ]);
    const date = new Date(this.#session.deps.clock.now()).toISOString().slice(0, 10);
    const environment = { root: ROOT, title, commands, notes, date };
    return { workspace, environment, repetitions: new Repetitions(), runCalls };
  }

  async #step(index: number, turn: TurnContext): Promise<StepEnd> {
    const step = await this.#start(index, turn);
    const { messageID, model, lastStep } = step;
    const { log } = this.#session;
    const result = await this.#answer(step);
    await this.#countingPause(
      this.#session.family.stepper()?.response({ log, signal: this.#abort.signal }, messageID, result),
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
  async #start(index: number, turn: TurnContext): Promise<Step> {
    const { workspace, environment } = turn;
    const { log, deps } = this.#session;
    const { signal } = this.#abort;
    let ready = await this.#ready(workspace);
    const asked = this.#summing;
    this.#summing = null;
    if (asked) {
      const fault = await this.#makeRoom(
        'person',
        await unlessAborted(signal, this.#session.model(asked)),
        index,
      );
      if (fault && fault.code !== 'nothing-to-sum-up') this.#session.problem(fault);
    }
    // Nothing is awaited between the last check and the step's start: a prompt in between would fork the
    // path.
    while (log.behind || this.#unread()) {
      if (log.behind) await unlessAborted(signal, log.barrier('relaxed'));
      else ready = await this.#ready(workspace);
    }
    const { model, tools, agent, told, instructions } = ready;
    const lastStep = index === agent.steps - 1;
    const prompt = this.#history.system(agent.name) ?? systemPrompt(told, environment, instructions);
    const system = lastStep ? prompt + LAST_STEP : prompt;
    const specs = tools.map(({ id, description, schema }) => ({ name: id, description, schema }));
    const { state } = log;
    const settings = settingsFor(model, state.effort, agent.sampling);
    const compose = () => {
      const conversation = this.#conversation.render(state.head, model.ref, index);
      const messages = conversation.flatMap(({ rendered }) => rendered);
      return { conversation, content: { system, messages, tools: specs, settings } };
    };
    let { content, conversation } = compose();
    if (this.#budget.isFull(content, model) && this.#budget.prune(0)) ({ content, conversation } = compose());
    if (this.#budget.isFull(content, model)) {
      const fault = await this.#makeRoom('limit', model, index);
      if (fault) throw new FaultError(fault);
      return this.#start(index, turn);
    }
    this.#waiting = this.#waiting.filter((id) => !state.messages.has(id));
    const parentID = state.head ?? '';
    const messageID = deps.ids.next('msg');
    const previous =
      newestOnPath(this.#history, state.head, ({ request }) => request !== undefined)?.id ?? null;
    const { ref, blobs } = this.#requests.add(messageID, previous, content);
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
  async #answer(step: Step): Promise<StepResult> {
    const { messageID, model, content, rendered } = step;
    const { log } = this.#session;
    const { signal } = this.#abort;
    const stepper = this.#session.family.stepper();
    const edited = await this.#countingPause(
      stepper?.request({ log, signal }, messageID, { content, rendered }, (edited) => {
        const { ref, blobs } = this.#requests.whole(edited);
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
        bodySent = this.#sent(messageID, body);
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
      this.#history.keepRetold(told, rendered);
      const blob = { hash: told, bytes: new TextEncoder().encode(text) };
      this.#session.log.append({ type: 'message.retold', messageID, model: model.ref, told }, [blob]);
    }
  }

  #replaceSystem({ messageID, agent, lastStep }: Step, system: string): void {
    // The note is only for the last step, so it must not become part of the lasting prompt.
    const text = lastStep && system.endsWith(LAST_STEP) ? system.slice(0, -LAST_STEP.length) : system;
    const told = hashText(text);
    this.#history.keepSystem(told, text);
    const blob = { hash: told, bytes: new TextEncoder().encode(text) };
    this.#session.log.append({ type: 'system.retold', messageID, agent, told }, [blob]);
  }

  async #runCalls(
    step: Step,
    result: StepResult,
    { workspace, repetitions, runCalls }: TurnContext,
  ): Promise<void> {
    const { signal } = this.#abort;
    const { messageID, agent, model, tools, lastStep } = step;
    await runCalls(
      this.#callContext(workspace, (tool) => previousCall(this.#history, this.#session.log.state.head, tool)),
      {
        messageID,
        agent,
        model: model.ref,
        signal,
        result,
        tools,
        lastStep,
        repetitions,
        refused: () => this.#stop('refused'),
      },
    );
  }

  #callContext(workspace: Workspace, previous: CallContext['previous']): CallContext {
    const { locks, reads } = this.#session;
    return { session: this.#session, workspace, locks, reads, previous };
  }

  /** Prepares a step, after reading every file that the new prompts mention. */
  async #ready(workspace: Workspace) {
    const { log } = this.#session;
    const { signal } = this.#abort;
    for (;;) {
      const ready = await unlessAborted(signal, this.#prepare());
      const prompt = this.#unread();
      if (!prompt) return ready;
      this.#read.add(prompt.id);
      const { agent, tools } = ready;
      const { readMentions } = await unlessAborted(signal, import('../calls/mentions.ts'));
      const context = this.#callContext(workspace, () => undefined);
      await readMentions(context, prompt, this.#history, {
        ...{ agent: agent.name, model: prompt.model, tools, signal },
        refused: () => this.#stop('refused'),
      });
      if (signal.aborted) throw turnAborted();
      await unlessAborted(signal, shown(log));
    }
  }

  /** The oldest prompt since the last step whose mentions were not read yet. */
  #unread(): Message | undefined {
    const { state } = this.#session.log;
    const prompts: Message[] = [];
    newestOnPath(this.#history, state.head, (message) => {
      if (message.role !== 'user') return true;
      prompts.push(message);
      return false;
    });
    return prompts.findLast((prompt) => {
      const done = this.#read.has(prompt.id) || prompt.origin || prompt.partKeys.length > 1;
      return !done && textOf(prompt, this.#history).includes('@');
    });
  }

  async #prepare() {
    const { log } = this.#session;
    await shown(log);
    const prompt = newestOnPath(this.#history, log.state.head, ({ role }) => role === 'user');
    if (!prompt) throw new Error('A turn without a prompt.');
    const { agents, instructions } = await this.#session.refreshedSetup();
    const agent = agentNamed(prompt.agent, agents);
    const ref = this.#session.usable(agent.model) ?? prompt.model;
    const [told, model, tools] = await Promise.all([
      agent.prompt(),
      this.#session.model(ref),
      this.#session.tools(ref, agent.name),
    ]);
    return { agent, told, instructions, model, tools };
  }

  async #sent(messageID: string, body: unknown): Promise<void> {
    const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
    this.#session.deps.sentBody?.(this.#session.log.state.sessionID, messageID, text);
    const bodyHash = await this.#session.digest(text);
    if (!this.#abort.signal.aborted) this.#session.log.append({ type: 'step.sent', messageID, bodyHash });
  }
}

/** Waits until the state includes every appended event. */
async function shown(log: SessionLog): Promise<void> {
  while (log.behind) await log.barrier('relaxed');
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

/** Rejects as soon as the turn is aborted, so that stopping waits for nothing. */
function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return waitUnlessAborted(signal, promise, turnAborted);
}

function turnAborted(): Error {
  return new Error('The turn was aborted.');
}

function abortedEnd(signal: AbortSignal): TurnEnd {
  return { status: signal.reason === 'refused' ? 'rejected' : 'aborted' };
}
