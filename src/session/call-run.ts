import type { Clock } from '../base/clock.ts';
import { faultOf, type Fault } from '../base/fault.ts';
import { jsonSchema, type Json, type JsonObject } from '../base/json.ts';
import type { Timer } from '../base/timer.ts';
import type { PermissionGate } from '../permissions/gate.ts';
import { PermissionCancelled, type Ask } from '../permissions/types.ts';
import { runAfter, runBefore, tellAfter, type EndedCall, type ToolHooks } from '../tools/hooks.ts';
import type { Answers, Question } from '../tools/question/schema.ts';
import type { Tasks } from '../tools/task/tasks.ts';
import type {
  LooseAsk,
  MadeCall,
  MadeCalls,
  Outputs,
  ReadRegistry,
  ReadyTool,
  RunResult,
  ToolContext,
} from '../tools/tool.ts';
import { ROOT, type Workspace } from '../workspace/workspace.ts';
import { blobOf, CallOutput } from './call-output.ts';
import { abortText, failureText, refusalBy } from './call-refusal.ts';
import { callTexts, withOutput } from './call-texts.ts';
import type { Attachment, ModelRef, Outcome } from './events.ts';
import type { SessionLog } from './log.ts';
import type { PathLocks } from './path-locks.ts';
import type { Questions } from './questions.ts';
import type { Blob, SessionStore } from './store.ts';
import type { Stepper } from './stepping/stepper.ts';
import type { TaskCall } from './subagents.ts';

export interface CallDeps {
  readonly log: SessionLog;
  readonly store: Pick<SessionStore, 'blobs'>;
  readonly gate: PermissionGate;
  readonly questions: Questions;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly hooks: readonly ToolHooks[];
  readonly workspace: Workspace;
  readonly locks: PathLocks;
  readonly outputs: Outputs;
  readonly reads: ReadRegistry;
  /** The metadata of the newest call of `tool` that ended well. */
  previous(tool: string): JsonObject | undefined;
  tasks(call: TaskCall): Tasks;
  /** What holds it before its result is told; absent where nobody steps. */
  stepper?(): Stepper | undefined;
  /** What the person should know though no call can say it. */
  problem(fault: Fault): void;
  /** A prompt of the app's, with which another agent goes on. */
  handOver(agent: string, text: string, model: ModelRef): Promise<void>;
}

export interface CallRunDeps extends CallDeps {
  /** Makes the calls that the call at `place` is made of. */
  made(place: CallPlace, calls: readonly MadeCall[], atomic: boolean): Promise<MadeCalls>;
}

export interface CallPlace {
  readonly messageID: string;
  readonly callID: string;
  readonly order: number;
  readonly agent: string;
  readonly model: ModelRef;
  /** Aborted with an `AbortReason`. */
  readonly signal: AbortSignal;
}

export interface Ending {
  readonly outcome: Outcome;
  readonly output: string;
  readonly result?: RunResult;
  readonly metadata?: JsonObject;
  readonly faultCode?: string;
}

/** One call of a tool, from its start to its one result. */
export class CallRun {
  /** Resolves when the call asks, waits for a file that another call holds, runs, or has ended. */
  readonly underWay: Promise<void>;
  #reach: () => void = () => undefined;
  readonly #deps: CallRunDeps;
  readonly #place: CallPlace;
  readonly #tool: ReadyTool;
  #input: unknown;
  readonly #releases: (() => void)[] = [];
  readonly #live: CallOutput;
  #started = false;
  #ended = false;
  #ending: Ending | undefined;
  /** Its calls stand or fall together: files are put back where it does not come to its end. */
  #atomic = false;
  /** Since when it works, and what of that it waited: milliseconds, counted only for hooks. */
  #since = 0;
  #told = false;
  #waited = 0;
  #stored: Promise<unknown> = Promise.resolve();

  constructor(deps: CallRunDeps, place: CallPlace, tool: ReadyTool, input: unknown) {
    this.#deps = deps;
    // One of its own: all that many calls at once listen for would be on one.
    this.#place = { ...place, signal: AbortSignal.any([place.signal]) };
    this.#tool = tool;
    this.#input = input;
    this.#live = new CallOutput(deps.log, deps.timer, this.#ids());
    this.underWay = new Promise((resolve) => (this.#reach = resolve));
  }

  /** Resolves when the call has its result, and that is on disk. Resolves to `refused` where the turn must end. */
  async run(): Promise<'done' | 'refused'> {
    const { signal } = this.#place;
    if (signal.aborted) {
      this.#end({ outcome: 'cancelled', output: abortText(signal, false) });
      return 'done';
    }
    let stop = (): void => undefined;
    const aborted = new Promise<'aborted'>((resolve) => {
      stop = () => {
        this.#abort();
        resolve('aborted');
      };
      signal.addEventListener('abort', stop);
    });
    const outcome = await Promise.race([this.#settle(), aborted]);
    signal.removeEventListener('abort', stop);
    await this.#stored;
    return outcome === 'refused' ? 'refused' : 'done';
  }

  /** How it ended; `undefined` while it has not. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  async #settle(): Promise<'done' | 'refused'> {
    try {
      const refused = this.#deps.hooks.length > 0 ? await this.#before() : undefined;
      if (refused !== undefined) await this.#tell({ outcome: 'invalid', output: refused });
      if (this.#ended) return 'done';
      if (!this.#tool.asksFirst) await this.#running();
      if (this.#ended) return 'done';
      const result = await this.#tool.run(this.#input, this.#context());
      if (!this.#ended) await this.#keep(result);
    } catch (error) {
      const refusal = refusalBy(error, this.#place.signal, this.#started);
      if (!refusal)
        await this.#tell({
          outcome: 'failed',
          output: withOutput(this.#live.live, failureText(error)),
          faultCode: faultOf(error).code,
        });
      else if (refusal.endsTurn || refusal.outcome === 'cancelled')
        this.#end({ outcome: refusal.outcome, output: refusal.output });
      else await this.#tell({ outcome: refusal.outcome, output: refusal.output });
      if (refusal?.endsTurn) return 'refused';
    }
    return 'done';
  }

  /** What it wrote must survive with the result that says so. */
  async #keep(result: RunResult): Promise<void> {
    try {
      if (!this.#tool.readOnly) await this.#deps.workspace.durable();
    } catch (error) {
      const note = `It ran, but what it wrote may be lost: ${failureText(error)}`;
      return this.#tell({ outcome: 'failed', output: withOutput(result.output, note), result });
    }
    if (this.#deps.hooks.length > 0) return this.#after(result);
    await this.#tell({ outcome: 'ok', output: result.output, result });
  }

  /** Ends it, once whoever steps lets it: what the model is told may have been changed by then. */
  async #tell(ending: Ending): Promise<void> {
    const stepper = this.#ended ? undefined : this.#deps.stepper?.();
    if (!stepper) return this.#end(ending);
    this.#live.flush();
    const { log } = this.#deps;
    const { signal } = this.#place;
    const held = stepper.result({ log, signal }, this.#ids(), this.#tool.id, ending);
    const output = await this.#waiting(held);
    if (!this.#ended) this.#end({ ...ending, output });
  }

  /** Lets hooks see and change the arguments; the text for the model where they no longer fit. */
  async #before(): Promise<string | undefined> {
    const { clock, hooks } = this.#deps;
    this.#since = clock.now();
    const given = jsonOf(this.#input);
    // A hook gets its own copy, so that what it changes in place is seen as well.
    const args = await runBefore(hooks, this.#hooked(), structuredClone<Json>(given));
    if (JSON.stringify(args) === JSON.stringify(given)) return undefined;
    const parsed = this.#tool.parse(args);
    if (!parsed.ok) return parsed.message;
    this.#input = parsed.input;
    return undefined;
  }

  async #after(result: RunResult): Promise<void> {
    const { title, output, metadata } = result;
    this.#told = true;
    try {
      const changed = await runAfter(
        this.#deps.hooks,
        { ...this.#hooked(), ...this.#came('ok') },
        { title, output, metadata },
        {
          workspace: this.#deps.workspace,
          visibility: () => this.#deps.gate.visibility(this.#place.agent),
          abort: this.#place.signal,
        },
      );
      return await this.#tell({ outcome: 'ok', output: changed.output, result: { ...result, ...changed } });
    } catch (error) {
      const note = `It ran, but what watches its results failed: ${failureText(error)}`;
      await this.#tell({ outcome: 'failed', output: withOutput(output, note), result });
    }
  }

  #hooked() {
    const { agent, messageID, callID } = this.#place;
    return { tool: this.#tool.id, sessionID: this.#deps.log.state.sessionID, messageID, callID, agent };
  }

  #came(outcome: Outcome): Pick<EndedCall, 'args' | 'outcome' | 'durationMs'> {
    const durationMs = this.#since === 0 ? 0 : this.#deps.clock.now() - this.#since - this.#waited;
    return { args: jsonOf(this.#input), outcome, durationMs };
  }

  /** Hooks are told how long a tool worked without this. */
  #waiting<T>(promise: Promise<T>): Promise<T> {
    if (this.#deps.hooks.length === 0) return promise;
    const { clock } = this.#deps;
    const from = clock.now();
    return promise.finally(() => (this.#waited += clock.now() - from));
  }

  /** The tool itself starts or goes on. Unless it changes nothing, that is on disk before it does. */
  async #running(): Promise<void> {
    const { log } = this.#deps;
    this.#started = true;
    this.#reach();
    log.append({
      type: 'call.running',
      ...this.#ids(),
      tool: this.#tool.id,
      input: jsonOf(this.#input),
    });
    if (!this.#tool.readOnly) await log.barrier('relaxed');
  }

  #context(): ToolContext {
    const deps = this.#deps;
    const place = this.#place;
    return {
      sessionID: deps.log.state.sessionID,
      messageID: place.messageID,
      callID: place.callID,
      agent: place.agent,
      model: place.model,
      directory: ROOT,
      worktree: ROOT,
      abort: place.signal,
      extra: {},
      workspace: deps.workspace,
      outputs: deps.outputs,
      reads: deps.reads,
      previous: (tool) => deps.previous(tool),
      visibility: () => deps.gate.visibility(place.agent),
      metadata: (update) => this.#progress(update),
      output: (text) => this.#print(text),
      lock: (path) => this.#lock(path),
      ask: (ask) => this.#ask(ask),
      question: (questions) => this.#question(questions),
      calls: (calls, { atomic }) => this.#made(calls, atomic),
      tasks: deps.tasks({ ...place, progress: (update) => this.#progress({ ...update }) }),
      handOver: (agent, text) => deps.handOver(agent, text, place.model),
    };
  }

  async #made(calls: readonly MadeCall[], atomic: boolean): Promise<MadeCalls> {
    this.#live.flush();
    this.#atomic = atomic;
    const made = await this.#deps.made(this.#place, calls, atomic);
    if (this.#ended) throw new PermissionCancelled();
    return made;
  }

  async #ask(ask: Ask | LooseAsk): Promise<true> {
    if (!('subject' in ask)) throw new Error('A tool made with define() asks through its wrapper.');
    this.#live.flush();
    const { gate } = this.#deps;
    const answered = gate.ask(ask, { ...this.#place, tool: this.#tool.id });
    this.#reach();
    await this.#waiting(answered);
    if (this.#ended) throw new PermissionCancelled();
    await this.#running();
    if (this.#ended) throw new PermissionCancelled();
    return true;
  }

  async #question(questions: readonly Question[]): Promise<Answers> {
    this.#live.flush();
    const answered = this.#deps.questions.ask(questions, {
      ...this.#ids(),
      tool: this.#tool.id,
      signal: this.#place.signal,
    });
    this.#reach();
    const answers = await this.#waiting(answered);
    await this.#running();
    if (this.#ended) throw new PermissionCancelled();
    return answers;
  }

  async #lock(path: string): Promise<() => void> {
    const acquired = this.#deps.locks.acquire(path, this.#place.signal);
    this.#reach();
    const release = await this.#waiting(acquired);
    if (this.#ended) release();
    this.#releases.push(release);
    return release;
  }

  #print(text: string): void {
    if (!this.#ended) this.#live.print(text);
  }

  #progress(update: JsonObject): void {
    if (!this.#ended) this.#live.tell(update);
  }

  #abort(): void {
    const why = abortText(this.#place.signal, this.#started);
    const note = this.#atomic ? `${why} ${callTexts.puttingBack}` : why;
    const output = withOutput(this.#live.kept, note);
    this.#end({ outcome: 'cancelled', output, metadata: { interrupted: true } });
  }

  #end({ outcome, output, result, metadata, faultCode }: Ending): void {
    if (this.#ended) return;
    const blobs: Blob[] = [];
    const attachments = (result?.attachments ?? []).map(({ mediaType, bytes, filename }): Attachment => {
      const blob = blobOf(bytes);
      blobs.push(blob);
      return { mediaType, blob: blob.hash, ...(filename !== undefined && { filename }) };
    });
    const body = {
      type: 'call.ended' as const,
      ...this.#ids(),
      outcome,
      output,
      title: result?.title ?? this.#live.title,
      metadata: result?.metadata ?? metadata ?? {},
      attachments,
      ...(result?.fullOutput && { fullOutput: result.fullOutput }),
    };
    // Only now: what a tool returned may be no result at all, and the call must still end.
    this.#live.flush();
    this.#ended = true;
    this.#ending = { outcome, output, ...(result && { result }) };
    this.#reach();
    for (const release of this.#releases) release();
    const { log, hooks } = this.#deps;
    if (hooks.length > 0 && !this.#told)
      tellAfter(
        hooks,
        { ...this.#hooked(), ...this.#came(outcome), ...(faultCode !== undefined && { faultCode }) },
        output,
      );
    // A call that was not let run claims nothing that could be lost: it is shown at once.
    if (outcome === 'ok' || outcome === 'failed') this.#stored = log.appendStored(body, 'relaxed', blobs);
    else log.append(body, blobs);
  }

  #ids() {
    return { messageID: this.#place.messageID, callID: this.#place.callID };
  }
}

/** Parsed arguments may hold what JSON cannot (dates, `undefined`); the log shows them as JSON would. */
function jsonOf(input: unknown): Json {
  return jsonSchema.parse(JSON.parse(JSON.stringify(input ?? null)));
}
