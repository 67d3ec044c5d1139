import { FaultError, type Fault } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { Unlisten } from '../base/listeners.ts';
import { defaultAgent, primaryOf } from '../agents/agents.ts';
import { plan } from '../agents/plan.ts';
import type { Mode } from '../permissions/modes.ts';
import type { AnsweredBy, GrantedRule, Reply } from '../permissions/types.ts';
import type { Answers } from '../tools/question/schema.ts';
import type { Job } from '../workspace/jobs.ts';
import type { OwnCallResult } from './calls/own-call.ts';
import type { PathLocks } from './calls/path-locks.ts';
import type { Choices } from './choices.ts';
import { SessionContext } from './context.ts';
import type { SessionDeps, SessionFamily } from './deps.ts';
import type { Effort } from './log/effort.ts';
import type { Event, EventBody, ModelRef, Origin, TurnStatus } from './log/events.ts';
import type { LogStorage, SessionLog } from './log/log.ts';
import { OlderMessages } from './log/older-messages.ts';
import { newestPrompt } from './log/newest-prompt.ts';
import type { SessionState } from './log/state.ts';
import { NO_MODEL } from './no-model.ts';
import { Prompts, type PromptOptions } from './prompts.ts';
import { Restores } from './restore/restores.ts';
import { SideRequests } from './request/side-requests.ts';
import { Loop } from './turn/loop.ts';

/** Events that other parts of the app may append to a session. */
export type Note = Extract<
  EventBody,
  { type: 'rules.limited' | 'effort.chosen' | 'task.started' | 'task.ended' | 'preview.noted' }
>;

/** One conversation that this tab writes. */
export class Session {
  readonly id: string;
  readonly #deps: SessionDeps;
  readonly #log: SessionLog;
  readonly #family: SessionFamily;
  readonly #context: SessionContext;
  readonly #choices: Choices;
  readonly #loop: Loop;
  readonly #sideRequests: SideRequests;
  readonly #prompts: Prompts;
  readonly restores: Restores;
  readonly #older: OlderMessages;
  #closed = false;

  /** `familyOf` connects the session to its parent and its sub-agents. */
  constructor(
    deps: SessionDeps,
    log: SessionLog,
    locks: PathLocks,
    oldestLoaded: boolean,
    familyOf: (session: Session) => SessionFamily,
  ) {
    this.id = log.state.sessionID;
    this.#deps = deps;
    this.#log = log;
    this.#family = familyOf(this);
    this.#older = new OlderMessages(deps.store, log.state, oldestLoaded);
    this.#context = new SessionContext({
      deps,
      log,
      locks,
      family: this.#family,
      handOver: async (agent, text, model) => {
        this.#choices.switchTo(agent);
        await this.prompt(text, { agent, model, origin: { kind: 'agent-switched', agent } });
      },
      tell: (text, origin) =>
        this.prompt(text, { origin, starts: () => false, ...this.#prompts.lastModel() }),
    });
    this.#choices = this.#context.choices;
    this.#sideRequests = new SideRequests(this.#context, () => this.writable);
    this.#loop = new Loop(this.#context);
    this.restores = new Restores(this.#context, (id) => this.#older.loadTo(id));
    this.#prompts = new Prompts({
      context: this.#context,
      loop: this.#loop,
      restores: this.restores,
      sideRequests: this.#sideRequests,
      owner: {
        isOldestLoaded: () => this.oldestLoaded,
        requireWritable: () => this.#requireWritable(),
      },
    });
    log.onEvents((events) => {
      if (events.some((event) => event.type === 'prompt.accepted' && event.origin?.kind !== 'command'))
        this.#context.snapshots.promptAccepted();
      const end = events.findLast((event) => event.type === 'turn.ended');
      if (!end) return;
      this.#context.snapshots.turnEnded();
      // A turn that was stopped or failed does not continue by itself.
      if (end.status === 'idle' || end.status === 'rejected') void this.#context.gap();
    });
    log.onStorage(() => {
      // Another writer continues this session, so nothing that happens here from now on could be kept.
      if (this.#conflict) this.abort();
    });
  }

  /** This object is live: it changes in place as events are folded. */
  get state(): SessionState {
    return this.#log.state;
  }

  get writable(): boolean {
    return !this.#closed && this.#conflict === undefined;
  }

  /** Whether events reach the disk. While they do not, the session goes on in memory. */
  get storage(): LogStorage {
    return this.#log.storage;
  }

  /** Whether every message of the session is in the state. */
  get oldestLoaded(): boolean {
    return this.#older.areLoaded;
  }

  onEvents(listener: (events: readonly Event[]) => void): Unlisten {
    return this.#log.onEvents(listener);
  }

  onStorage(listener: (storage: LogStorage) => void): Unlisten {
    return this.#log.onStorage(listener);
  }

  /**
   * Reports problems that do not end a turn: a rule that was not saved, or files that could not be recorded.
   */
  onProblem(listener: (fault: Fault) => void): Unlisten {
    return this.#context.problems.add(listener);
  }

  /** {@link Prompts.accept} */
  async prompt(text: string, options?: PromptOptions): Promise<void> {
    await this.#prompts.accept(text, options);
  }

  /** {@link Prompts.command} */
  command(command: string, model?: ModelRef): Promise<void> {
    return this.#prompts.command(command, model);
  }

  /** {@link Prompts.call} */
  call(tool: string, input: Json, options?: Pick<PromptOptions, 'agent'>): Promise<OwnCallResult> {
    return this.#prompts.call(tool, input, options);
  }

  /** {@link Prompts.announce} */
  announce(text: string, origin: Origin, resume: boolean): Promise<void> {
    return this.#prompts.announce(text, origin, resume);
  }

  get commanding(): boolean {
    return this.#context.ownCommand !== null;
  }

  /**
   * The listener is called at each moment at which a prompt can join: between two steps, and after a turn or command
   * that ended by itself. The session waits for it; it never rejects.
   */
  onGap(listener: () => Promise<void>): Unlisten {
    const { gaps } = this.#context;
    gaps.add(listener);
    return () => void gaps.delete(listener);
  }

  /** Tells of jobs that the log has as running, and that are not among the workspace's jobs any more. */
  settleJobs(jobs: readonly Job[]): Promise<void> {
    return this.#context.jobs.settle(jobs);
  }

  /** Sets the agent that receives the next prompts. */
  async chooseAgent(name: string): Promise<void> {
    this.#requireWritable();
    if (!primaryOf(this.#choices.setup.agents).some((agent) => agent.name === name))
      throw new FaultError({ code: 'agent-unknown', what: 'There is no agent of this name.', where: name });
    if (name === this.agent) return;
    this.#choices.switchTo(name);
    this.#log.append({ type: 'agent.chosen', agent: name });
    // Requests that wait may be decided by the new agent's rules.
    await this.rulesChanged();
    await this.#log.barrier('relaxed');
  }

  /** Sets how much models think from the next step on; `null` leaves it to the model. */
  async chooseEffort(effort: Effort | null): Promise<void> {
    this.#requireWritable();
    if (effort === (this.state.effort ?? null)) return;
    this.#log.append({ type: 'effort.chosen', effort });
    await this.#log.barrier('relaxed');
  }

  /** The agent that receives the next prompts. */
  get agent(): string {
    return this.#choices.agent;
  }

  /** The mode in force now, which the parent session and the planning agent can override. */
  get mode(): Mode {
    return this.#choices.mode;
  }

  /** The requests that the person refused in this turn, here and in the sub-agents' sessions. */
  get refused(): Map<string, string> {
    return this.#context.gate.refused;
  }

  /** Drops the person's edit of this message, so that models see the original again. */
  async tellAsItIs(messageID: string): Promise<void> {
    await this.#caughtUp();
    const retold = this.state.retold?.find((each) => each.messageID === messageID);
    if (!retold) return;
    this.#log.append({ type: 'message.retold', messageID, model: retold.model, told: null });
    await this.#log.barrier('relaxed');
  }

  /** Drops the person's edit of this agent's system prompt, so that models see the original again. */
  async tellOwnSystem(agent: string): Promise<void> {
    await this.#caughtUp();
    const retold = this.state.retoldSystems?.find((each) => each.agent === agent);
    if (!retold) return;
    this.#log.append({ type: 'system.retold', messageID: retold.messageID, agent, told: null });
    await this.#log.barrier('relaxed');
  }

  /** Waits until every appended event is in the state. */
  async #caughtUp(): Promise<void> {
    while (this.#log.behind) await this.#log.barrier('relaxed');
    this.#requireWritable();
  }

  note(body: Note): void {
    this.#requireWritable();
    this.#log.append(body);
  }

  /** Adds rules that hold for this session. */
  grant(rules: readonly GrantedRule[]): void {
    if (!this.writable) return;
    this.#choices.grant(rules);
    this.#log.append({ type: 'rules.granted', rules: [...rules] });
  }

  /** Resolves when no turn runs, at once if none does, with the status of the last one. */
  rested(): Promise<TurnStatus> {
    return this.#loop.rested();
  }

  /** Ends the running turn. A prompt that is not accepted yet starts no turn: it goes along with the next one. */
  abort(): void {
    this.#prompts.stop();
    this.#loop.abort();
  }

  /**
   * `null` dismisses the question, which ends the turn. Ignored if it was answered or withdrawn meanwhile.
   */
  answerQuestion(requestID: string, answers: Answers | null, by: AnsweredBy): void {
    this.#context.questions.answer(requestID, answers, by);
  }

  /**
   * Has the conversation summarized, by default with the model of the last prompt: at once, or before the
   * next step of the running turn.
   */
  compact(model?: ModelRef): void {
    this.#requireWritable();
    const last = newestPrompt(this.state);
    if (!last) return;
    const asked = model ?? last.model ?? this.#deps.defaultModel();
    if (!asked) throw new FaultError(NO_MODEL);
    this.#loop.sumUp(asked);
  }

  /**
   * Returns a Markdown summary of what was asked, done and changed, written by the model of the last prompt.
   * The conversation stays unchanged. `undefined` if `signal` was aborted or the session was closed. Rejects
   * with a fault.
   */
  async summarize(signal: AbortSignal, onText?: (text: string) => void): Promise<string | undefined> {
    this.#requireWritable();
    return this.#sideRequests.summarize(signal, onText);
  }

  /** Retries a failed step now instead of after its delay; does nothing if no step waits. */
  retryNow(): void {
    this.#loop.retryNow();
  }

  /** Ignores an unknown id: the request was answered or withdrawn meanwhile. */
  answer(requestID: string, reply: Reply, by: AnsweredBy): void {
    void this.#context.gate.answer(requestID, reply, by);
  }

  answererChanged(): void {
    this.#context.gate.answererChanged();
    this.#context.questions.answererChanged();
  }

  /** Call this when saved rules changed elsewhere: in the settings, or in another tab. */
  async rulesChanged(): Promise<void> {
    this.#family.changed();
    await this.reconsider();
  }

  /** Decides waiting requests again, by the current rules. */
  async reconsider(): Promise<void> {
    await this.#context.reconsider();
  }

  /** Applies from now on, to waiting requests too. Resolves once the change survives a crash. */
  async setMode(mode: Mode): Promise<void> {
    this.#requireWritable();
    this.#choices.setMode(mode);
    const stored = this.#log.appendStored({ type: 'mode.set', mode }, 'strict');
    // The configuration files may make the planning agent the default.
    if (mode !== 'plan' && this.agent === plan.name) {
      this.#choices.switchTo(defaultAgent.name);
      this.#log.append({ type: 'agent.chosen', agent: defaultAgent.name });
    }
    await this.rulesChanged();
    await stored;
  }

  async rename(title: string): Promise<void> {
    this.#requireWritable();
    this.#log.append({ type: 'session.titled', title });
    await this.#log.barrier('relaxed');
  }

  async keep(keep: boolean): Promise<void> {
    this.#requireWritable();
    this.#log.append({ type: 'session.kept', keep });
    await this.#log.barrier('relaxed');
  }

  /** Resolves when everything that happened so far is on disk, or the store has failed. */
  stored(): Promise<void> {
    return this.#log.barrier('relaxed');
  }

  /** Resolves when no snapshot of the files is being taken: the newest one belongs to what happened so far. */
  async filesKept(): Promise<void> {
    await this.#context.snapshots.ready();
  }

  /** The events and contents that are not on disk yet. */
  unstored(): ReturnType<SessionLog['unstored']> {
    return this.#log.unstored();
  }

  /** Reads a page of older messages into the state; false when there are none. */
  loadOlder(limit?: number): Promise<boolean> {
    return this.#older.load(limit);
  }

  /** Drops a full output past its time; its preview stays. The event's commit also releases the blob. */
  async dropOutput(messageID: string, callID: string): Promise<void> {
    this.#requireWritable();
    await this.#older.loadTo(messageID);
    this.#log.append({ type: 'output.dropped', messageID, callID });
    this.#context.restoreOutputs(this.state.parts.values());
    await this.#log.barrier('relaxed');
  }

  /** Stops the running turn and writes everything that is left. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#context.jobs.close();
    this.#sideRequests.close();
    this.abort();
    await this.rested();
    await this.#context.ownCommand;
    await this.restores.done();
    await this.#context.snapshots.close();
    await this.#log.close();
  }

  /** The fault if another writer has continued the log. */
  get #conflict(): Fault | undefined {
    const { storage } = this.#log;
    return storage.state === 'failing' && storage.fault.code === 'log-conflict' ? storage.fault : undefined;
  }

  #requireWritable(): void {
    if (this.#conflict) throw new FaultError(this.#conflict);
    if (!this.#closed) return;
    throw new FaultError({
      code: 'session-closed',
      what: 'This tab is now read-only: the session is open in another tab.',
      next: 'Open it again.',
    });
  }
}
