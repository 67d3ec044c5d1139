import type { CallRunContext, CallInfo, Ending } from './types.ts';
import type { SessionContext } from '../context.ts';
import { FaultError, faultOf } from '../../base/fault.ts';
import { jsonSchema, type Json, type JsonObject } from '../../base/json.ts';
import { PermissionCancelled, type Ask } from '../../permissions/types.ts';
import { runAfter, runBefore, notifyAfter, type EndedCall } from '../../tools/hooks.ts';
import type { Answers, Question } from '../../tools/question/schema.ts';
import type {
  AskInput,
  NestedCall,
  NestedCallResults,
  ReadyTool,
  RunResult,
  ToolContext,
} from '../../tools/tool.ts';
import { ROOT } from '../../workspace/workspace.ts';
import { blobOf, CallOutput } from './call-output.ts';
import { abortText, failureText, refusalBy } from './call-refusal.ts';
import { callTexts, withOutput } from './call-texts.ts';
import type { Attachment, Outcome } from '../log/events.ts';
import type { Blob } from '../log/store.ts';

/** Runs one call of a tool, from its start to its one result. */
export class CallRun {
  /** Resolves when the call asks, waits for a file that another call holds, runs, or has ended. */
  readonly underWay: Promise<void>;
  #reach: () => void = () => undefined;
  readonly #context: CallRunContext;
  readonly #session: SessionContext;
  readonly #info: CallInfo;
  readonly #tool: ReadyTool;
  #input: unknown;
  readonly #releases: (() => void)[] = [];
  readonly #live: CallOutput;
  #started = false;
  #ended = false;
  #ending: Ending | undefined;
  /** The call makes an atomic batch, whose files are restored if it does not finish. */
  #atomic = false;
  /**
   * When the call started to work; `#waited` is how long it has waited since then. In milliseconds, measured
   * only for hooks.
   */
  #since = 0;
  #told = false;
  #waited = 0;
  #stored: Promise<unknown> = Promise.resolve();

  constructor(context: CallRunContext, info: CallInfo, tool: ReadyTool, input: unknown) {
    this.#context = context;
    this.#session = context.session;
    // Each call has its own signal: otherwise many parallel calls would add their listeners to the same one.
    this.#info = { ...info, signal: AbortSignal.any([info.signal]) };
    this.#tool = tool;
    this.#input = input;
    this.#live = new CallOutput(this.#session.log, this.#session.deps, this.#ids());
    this.underWay = new Promise((resolve) => (this.#reach = resolve));
  }

  /**
   * Resolves when the call has its result and that is on disk. Resolves to `refused` if the turn must end.
   */
  async run(): Promise<'done' | 'refused'> {
    const { signal } = this.#info;
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

  /** How the call ended; `undefined` before that. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  async #settle(): Promise<'done' | 'refused'> {
    try {
      const refused = this.#session.hooks.length > 0 ? await this.#before() : undefined;
      if (refused !== undefined) await this.#tell({ outcome: 'invalid', output: refused });
      if (this.#ended) return 'done';
      if (!this.#tool.asksFirst) await this.#running();
      if (this.#ended) return 'done';
      const result = await this.#tool.run(this.#input, this.#toolContext());
      if (!this.#ended) await this.#keep(result);
    } catch (error) {
      const refusal = refusalBy(error, this.#info.signal, this.#started);
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

  /** Waits until the call's writes are durable, since its result claims them. */
  async #keep(result: RunResult): Promise<void> {
    try {
      if (!this.#tool.readOnly) await this.#context.workspace.durable();
    } catch (error) {
      const note = `It ran, but what it wrote may be lost: ${failureText(error)}`;
      return this.#tell({ outcome: 'failed', output: withOutput(result.output, note), result });
    }
    if (this.#session.hooks.length > 0) return this.#after(result);
    await this.#tell({ outcome: 'ok', output: result.output, result });
  }

  /**
   * Ends the call once the stepper continues. The person may have changed the output for the model by then.
   */
  async #tell(ending: Ending): Promise<void> {
    const stepper = this.#ended ? undefined : this.#session.family.stepper();
    if (!stepper) return this.#end(ending);
    this.#live.flush();
    const { log } = this.#session;
    const { signal } = this.#info;
    const held = stepper.result({ log, signal }, this.#ids(), this.#tool.id, ending);
    const output = await this.#waiting(held);
    if (!this.#ended) this.#end({ ...ending, output });
  }

  /**
   * Lets hooks see and change the arguments. Returns the text for the model if the changed ones are invalid.
   */
  async #before(): Promise<string | undefined> {
    const { hooks, deps } = this.#session;
    this.#since = deps.clock.now();
    const given = jsonOf(this.#input);
    // The hook gets a copy, so that changes it makes in place are noticed too.
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
        this.#session.hooks,
        { ...this.#hooked(), ...this.#came('ok') },
        { title, output, metadata },
        {
          workspace: this.#context.workspace,
          visibility: () => this.#session.gate.visibility(this.#info.agent),
          abort: this.#info.signal,
        },
      );
      return await this.#tell({ outcome: 'ok', output: changed.output, result: { ...result, ...changed } });
    } catch (error) {
      const note = `It ran, but what watches its results failed: ${failureText(error)}`;
      await this.#tell({ outcome: 'failed', output: withOutput(output, note), result });
    }
  }

  #hooked() {
    const { agent, messageID, callID } = this.#info;
    return { tool: this.#tool.id, sessionID: this.#session.log.state.sessionID, messageID, callID, agent };
  }

  #came(outcome: Outcome): Pick<EndedCall, 'args' | 'outcome' | 'durationMs'> {
    const durationMs = this.#since === 0 ? 0 : this.#session.deps.clock.now() - this.#since - this.#waited;
    return { args: jsonOf(this.#input), outcome, durationMs };
  }

  /** Measures waiting time, which does not count as work in the duration that hooks get. */
  #waiting<T>(promise: Promise<T>): Promise<T> {
    if (this.#session.hooks.length === 0) return promise;
    const { clock } = this.#session.deps;
    const from = clock.now();
    return promise.finally(() => (this.#waited += clock.now() - from));
  }

  /**
   * Call this when the tool itself starts or continues. Unless the tool is read-only, the event is on disk
   * before it does. If the session can no longer be stored, the call ends here.
   */
  async #running(): Promise<void> {
    const { log, snapshots } = this.#session;
    const taken = this.#tool.readOnly ? null : snapshots.ready();
    if (taken) await this.#waiting(taken);
    if (this.#ended) return;
    if (log.storage.state === 'failing' && !(await this.#requireStored())) return;
    this.#started = true;
    this.#reach();
    log.append({
      type: 'call.running',
      ...this.#ids(),
      tool: this.#tool.id,
      input: jsonOf(this.#input),
    });
    if (!this.#tool.readOnly) await this.#requireStored();
  }

  async #requireStored(): Promise<boolean> {
    try {
      await this.#session.log.requireStored();
      return true;
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      this.#end({ outcome: 'cancelled', output: callTexts.notStored });
      return false;
    }
  }

  #toolContext(): ToolContext {
    const context = this.#context;
    const session = this.#session;
    const info = this.#info;
    return {
      sessionID: session.log.state.sessionID,
      messageID: info.messageID,
      callID: info.callID,
      agent: info.agent,
      model: info.model,
      directory: ROOT,
      worktree: ROOT,
      abort: info.signal,
      extra: {},
      workspace: context.workspace,
      outputs: session.outputs,
      reads: context.reads,
      previous: (tool) => context.previous(tool),
      visibility: () => session.gate.visibility(info.agent),
      rules: (permission) => session.gate.rules(info.agent, permission),
      metadata: (update) => this.#progress(update),
      output: (text) => this.#print(text),
      lock: (path) => this.#lock(path),
      ask: (ask) => this.#ask(ask),
      question: (questions) => this.#question(questions),
      calls: (calls, { atomic }) => this.#made(calls, atomic),
      tasks: session.family.tasks({ ...info, progress: (update) => this.#progress({ ...update }) }),
      handOver: (agent, text) => session.handOver(agent, text, info.model),
    };
  }

  async #made(calls: readonly NestedCall[], atomic: boolean): Promise<NestedCallResults> {
    this.#live.flush();
    this.#atomic = atomic;
    const made = await this.#context.runNested(this.#info, calls, atomic);
    if (this.#ended) throw new PermissionCancelled();
    return made;
  }

  async #ask(ask: Ask | AskInput): Promise<true> {
    if (!('subject' in ask)) throw new Error('A tool made with define() asks through its wrapper.');
    this.#live.flush();
    const { gate } = this.#session;
    const answered = gate.ask(ask, { ...this.#info, tool: this.#tool.id });
    this.#reach();
    await this.#waiting(answered);
    if (this.#ended) throw new PermissionCancelled();
    await this.#running();
    if (this.#ended) throw new PermissionCancelled();
    return true;
  }

  async #question(questions: readonly Question[]): Promise<Answers> {
    this.#live.flush();
    const answered = this.#session.questions.ask(questions, {
      ...this.#ids(),
      tool: this.#tool.id,
      signal: this.#info.signal,
    });
    this.#reach();
    const answers = await this.#waiting(answered);
    await this.#running();
    if (this.#ended) throw new PermissionCancelled();
    return answers;
  }

  async #lock(path: string): Promise<() => void> {
    // A path that is free is no reason to let the next call start: it could ask before this one.
    if (this.#context.locks.isHeld(path)) this.#reach();
    const acquired = this.#context.locks.acquire(path, this.#info.signal);
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
    const why = abortText(this.#info.signal, this.#started);
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
      ...(faultCode !== undefined && { faultCode }),
    };
    // A malformed result of a tool throws above, before anything changes, and the call can still end.
    this.#live.flush();
    this.#ended = true;
    this.#ending = { outcome, output, ...(result && { result }) };
    this.#reach();
    const { log, hooks, snapshots } = this.#session;
    // This comes before others may change the files that the call had locked.
    snapshots.callEnded();
    for (const release of this.#releases) release();
    if (hooks.length > 0 && !this.#told)
      notifyAfter(
        hooks,
        { ...this.#hooked(), ...this.#came(outcome), ...(faultCode !== undefined && { faultCode }) },
        output,
      );
    // A call that was not allowed to run has no changes that could be lost: show its result at once.
    if (outcome === 'ok' || outcome === 'failed') this.#stored = log.appendStored(body, 'relaxed', blobs);
    else log.append(body, blobs);
  }

  #ids() {
    return { messageID: this.#info.messageID, callID: this.#info.callID };
  }
}

/**
 * Parsed arguments may contain values that JSON lacks (dates, `undefined`); the log shows them as JSON would.
 */
function jsonOf(input: unknown): Json {
  return jsonSchema.parse(JSON.parse(JSON.stringify(input ?? null)));
}
