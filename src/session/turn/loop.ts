import { faultOf, type Fault } from '../../base/fault.ts';
import { pause } from '../../base/timer.ts';
import { ROOT } from '../../workspace/workspace.ts';
import type { AbortReason } from '../calls/call-refusal.ts';
import type { SessionContext } from '../context.ts';
import type { CompactionReason, ModelRef, TurnStatus } from '../log/events.ts';
import { History } from '../log/history.ts';
import { closingEvents } from '../log/recover.ts';
import { ContextBudget } from '../request/context-budget.ts';
import { Conversation, newestOnPath } from '../request/messages.ts';
import type { Model } from '../request/model.ts';
import { RequestLog } from '../request/request.ts';
import { retryDelay } from './retry.ts';
import { Steps } from './steps.ts';
import { turnAborted, unlessAborted, untilFolded, type Turn } from './turn.ts';
import { CALL_MISSING, CUT_FAULTS, NOTHING_SAID, STEP_LIMIT } from './turn-faults.ts';

interface TurnEnd {
  readonly status: TurnStatus;
  readonly fault?: Fault;
}

/**
 * Works on the prompts of one session until none is left. Each turn is a series of steps, and each step is
 * one model call followed by its tool calls. Everything it does is in the log; it never throws.
 */
export class Loop {
  readonly #session: SessionContext;
  readonly #history: History;
  readonly #budget: ContextBudget;
  readonly #steps: Steps;
  /** Accepted prompts that no step includes yet. */
  #waiting: string[] = [];
  #running: Promise<void> | null = null;
  #abort = new AbortController();
  #retryNow: AbortController | null = null;
  /** The model for a summary that the person asked for. */
  #summing: ModelRef | null = null;
  #lastStatus: TurnStatus;

  constructor(session: SessionContext) {
    this.#session = session;
    const { state } = session.log;
    this.#history = new History(state, session.deps.store);
    const sources = {
      history: this.#history,
      conversation: new Conversation(this.#history),
      requests: new RequestLog(this.#history),
    };
    this.#budget = new ContextBudget(session, sources);
    this.#steps = new Steps(session, sources, this.#budget, {
      makeRoom: (...summary) => this.#makeRoom(...summary),
      takeSummaryRequest: () => {
        const model = this.#summing;
        this.#summing = null;
        return model;
      },
      promptsIncluded: () => {
        this.#waiting = this.#waiting.filter((id) => !state.messages.has(id));
      },
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
      await untilFolded(log);
      for (const body of closingEvents(log.state, { ...end, outcome: 'cancelled' }))
        if (body.type !== 'turn.ended') log.append(body);
    }
    // Work that was stopped or failed does not resume by itself; waiting prompts go along with the next one.
    if (end.status !== 'idle') this.#summing = null;
    if (end.status !== 'idle' && end.status !== 'rejected') this.#waiting = [];
    this.#waiting = this.#waiting.filter((id) => id !== of.promptID);
    this.#lastStatus = end.status;
    await log.appendStored({ type: 'turn.ended', ...end }, 'strict');
    await this.#session.snapshots.settled();
  }

  async #summaryTurn(ref: ModelRef): Promise<void> {
    const { log } = this.#session;
    await untilFolded(log);
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
    const turn = await unlessAborted(signal, this.#startTurn());
    await unlessAborted(signal, Promise.all([this.#startGate(), this.#history.load()]));
    this.#session.restoreOutputs(this.#history.parts());
    this.#session.snapshots.beforeTurn(turn.workspace);
    await this.#session.snapshots.settled();
    let failures = 0;
    let failingSince = 0;
    let said = false;
    for (let index = 0; ; index++) {
      if (signal.aborted) return abortedEnd(signal);
      const { messageID, model, result, lastStep } = await this.#steps.run(index, turn);
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
        if (failures++ === 0) failingSince = now - this.#steps.pausedFor;
        const elapsed = now - this.#steps.pausedFor - failingSince;
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
      if (this.#session.gaps.size > 0) await unlessAborted(signal, this.#session.gap());
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

  async #startTurn(): Promise<Turn> {
    const workspace = await this.#session.workspace();
    // The code that runs calls is not needed before the first turn.
    const [{ title, commands, notes }, { Repetitions, runCalls }] = await Promise.all([
      workspace.capabilities(),
      import('../calls/calls.ts'),
    ]);
    const date = new Date(this.#session.deps.clock.now()).toISOString().slice(0, 10);
    const environment = { root: ROOT, title, commands, notes, date };
    return {
      signal: this.#abort.signal,
      workspace,
      environment,
      repetitions: new Repetitions(),
      runCalls,
      refused: () => this.#stop('refused'),
    };
  }
}

function abortedEnd(signal: AbortSignal): TurnEnd {
  return { status: signal.reason === 'refused' ? 'rejected' : 'aborted' };
}
