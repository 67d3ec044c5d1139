import type { Clock, Ids } from '../base/clock.ts';
import { FaultError, faultOf, type Fault } from '../base/fault.ts';
import { hashText, type Hash } from '../base/hash.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { Timer } from '../base/timer.ts';
import { defaultAgent, firstOf, primaryOf, subagentsOf } from '../agents/agents.ts';
import { configuredRules, ownRules } from '../agents/rules.ts';
import { plan } from '../agents/plan.ts';
import { NO_SETUP, type Setup } from '../agents/setup.ts';
import { PermissionGate } from '../permissions/gate.ts';
import { DEFAULT_MODE, type Mode } from '../permissions/modes.ts';
import type { SourcedRule } from '../permissions/rules.ts';
import type { PermissionSettings } from '../permissions/settings.ts';
import type { AnsweredBy, Answerer, GrantedRule, Reply, RuleStore } from '../permissions/types.ts';
import { SessionOutputs } from '../tools/outputs.ts';
import type { OwnFiles } from '../tools/own-files.ts';
import type { ToolHooks } from '../tools/hooks.ts';
import type { Answers } from '../tools/question/schema.ts';
import type { Toolbox } from '../tools/registry.ts';
import type { GeneratedFiles, ReadyTool } from '../tools/tool.ts';
import type { Tasks } from '../tools/task/tasks.ts';
import type { takeSnapshot } from '../workspace/snapshot.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Event, EventBody, ModelRef, Origin, TurnStatus } from './log/events.ts';
import type { Effort } from './log/effort.ts';
import { Asides, titleOf } from './request/asides.ts';
import { FileSnapshots } from './turn/file-snapshots.ts';
import { gateLog } from './calls/gate-log.ts';
import { Loop } from './turn/loop.ts';
import type { LogStorage, SessionLog } from './log/log.ts';
import type { Model } from './request/model.ts';
import type { PathLocks } from './calls/path-locks.ts';
import { MESSAGES_PER_PAGE, readMessages } from './log/older.ts';
import { Questions, type QuestionAnswerer } from './calls/questions.ts';
import { addRecords } from './log/records.ts';
import { SeenFiles } from './calls/seen-files.ts';
import type { Part, SessionState } from './log/state.ts';
import type { SessionStore } from './log/store.ts';
import type { Stepper } from './stepping/stepper.ts';
import type { TaskCall } from './subagents/task-call.ts';

/** The configuration files of each workspace, as read. */
export interface Setups {
  /** Returns the result of the last read. */
  current(workspaceID: string): Setup;
  /** Reads the files again. Never rejects. */
  refresh(workspaceID: string): Promise<Setup>;
  /** The configuration files that the person keeps for every workspace. */
  ownFiles?(): OwnFiles;
}

/** The parts of the app that every session uses. */
export interface SessionDeps {
  readonly store: SessionStore;
  readonly rules: RuleStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timer: Timer;
  readonly registry: Toolbox;
  /** They run around every call, in this order. */
  readonly hooks?: readonly ToolHooks[];
  /** Files that tools can read in addition to the session's full outputs. */
  madeFiles?(sessionID: string): GeneratedFiles;
  /** The switches that are on in the settings now. */
  flags?(): ReadonlySet<string>;
  /** Rejects with a fault if there is no such model, or no key for it. */
  model(ref: ModelRef, workspaceID: string): Promise<Model>;
  /** Whether a model that a file names can be used, for instance has its key. The default is yes. */
  isSetUp?(ref: ModelRef, workspaceID: string): boolean;
  /** The model for prompts that name none; throws a fault if none is chosen. */
  defaultModel(): ModelRef;
  workspace(id: string): Promise<Workspace>;
  /** The current permission settings, in the shape of opencode.json's `permission`. */
  settings(): PermissionSettings;
  /** Without this, no configuration files are read. */
  readonly setups?: Setups;
  /** Answers permission requests before the person is asked. */
  answerer?(): Answerer | undefined;
  questionAnswerer?(): QuestionAnswerer | undefined;
  /**
   * Puts the files and their next list into `sink`. Returns the list's hash, or `undefined` if nothing
   * changed.
   */
  snapshot?: typeof takeSnapshot;
  /** Whether this model names new sessions while the first turn runs. Without this, it does not. */
  titles?(model: ModelRef): boolean;
  /**
   * Whether old outputs are taken out and conversations are summarized automatically when a model's context
   * is full. Without this, they are.
   */
  makesRoom?(): boolean;
  /** Computes the digest of a request's body, off the page's thread where possible. */
  digest?(text: string): Promise<Hash>;
  /** Called with the body of a step's request as it was sent. */
  sentBody?(sessionID: string, messageID: string, body: string): void;
  /** Called once events are on disk, so that other tabs can be told. */
  onCommitted?(sessionID: string, events: readonly Event[]): void;
}

/** Connects a session to its parent and its sub-agents. */
export interface SessionTies {
  tasks(session: Session, call: TaskCall): Tasks;
  /** The "Allow for this session" rules of the session's ancestors. */
  inherited(session: Session): readonly GrantedRule[];
  /** The parent's mode, which also applies to this session; `undefined` if it has no parent. */
  mode(session: Session): Mode | undefined;
  /**
   * The requests that the person refused during this turn of the parent; `undefined` if there is no parent.
   */
  refused(session: Session): Map<string, string> | undefined;
  /** The stepper that pauses this session; `undefined` while nobody steps through it. */
  stepper(session: Session): Stepper | undefined;
  /** Called when rules or the mode changed: the session's sub-agents are bound by them too. */
  changed(session: Session): void;
  /** Called when rules were granted here for the session, so that its parent gets them too. */
  granted(session: Session, rules: readonly GrantedRule[]): void;
  /** Called when a lasting permission was given here, which may also answer waiting requests elsewhere. */
  allowedMore(session: Session): void;
}

export interface PromptOptions {
  readonly agent?: string;
  readonly model?: ModelRef;
  readonly origin?: Origin;
  /**
   * Called once the prompt is on disk. If it returns false, no turn starts, and the prompt goes along with
   * the next one that does start a turn.
   */
  readonly starts?: () => boolean;
}

/** Events that other parts of the app may append to a session. */
export type Note = Extract<
  EventBody,
  { type: 'rules.limited' | 'effort.chosen' | 'task.started' | 'task.ended' }
>;

/** One conversation that this tab writes. */
export class Session {
  readonly id: string;
  readonly #deps: SessionDeps;
  readonly #log: SessionLog;
  readonly #gate: PermissionGate;
  readonly #questions: Questions;
  readonly #loop: Loop;
  readonly #outputs: SessionOutputs;
  readonly #ties: SessionTies;
  readonly #problems = new Listeners<Fault>();
  readonly #files: FileSnapshots;
  #granted: readonly GrantedRule[];
  #mode: Mode;
  /** `null` while nobody was chosen; prompts then go to the workspace's first agent. */
  #agent: string | null;
  #oldestLoaded: boolean;
  readonly #asides: Asides;
  #closed = false;
  /** Counts how often the person stopped the session. */
  #stops = 0;

  constructor(
    deps: SessionDeps,
    log: SessionLog,
    locks: PathLocks,
    oldestLoaded: boolean,
    ties: SessionTies,
  ) {
    const { store, clock, ids, timer } = deps;
    this.id = log.state.sessionID;
    this.#deps = deps;
    this.#ties = ties;
    this.#log = log;
    this.#oldestLoaded = oldestLoaded;
    this.#granted = log.state.granted;
    this.#mode = log.state.mode ?? DEFAULT_MODE;
    this.#agent = log.state.agent;
    this.#outputs = new SessionOutputs(
      this.id,
      store.blobs,
      [],
      deps.madeFiles?.(this.id),
      () => deps.setups?.ownFiles?.() ?? {},
    );
    this.#gate = new PermissionGate({
      sessionID: this.id,
      workspaceID: log.state.workspaceID,
      configured: (agent) => this.#configured(agent),
      granted: () => [...ties.inherited(this), ...this.#granted],
      mode: (agent) => (agent === plan.name ? 'plan' : this.mode),
      store: deps.rules,
      ids,
      clock,
      log: gateLog(log, {
        granted: (rules) => {
          this.#granted = [...this.#granted, ...rules];
          ties.granted(this, rules);
        },
        notSaved: (fault) => this.#problems.emit(fault),
      }),
      allowedMore: () => ties.allowedMore(this),
      refusedAbove: () => ties.refused(this),
      answerer: () => deps.answerer?.(),
    });
    this.#files = new FileSnapshots({
      log,
      blobs: store.blobs,
      ...(deps.snapshot && { snapshot: deps.snapshot }),
      problem: (fault) => this.#problems.emit(fault),
    });
    this.#questions = new Questions({
      log,
      ids,
      answerer: () => deps.questionAnswerer?.(),
      // A dismissed question ends the turn, so the other answers are no longer needed.
      dismissed: () => {
        this.#gate.cancelAll();
        this.#questions.cancelAll();
      },
    });
    this.#asides = new Asides({
      log,
      store,
      model: (ref) => deps.model(ref, log.state.workspaceID),
      smallModel: () => this.#usable(this.#setup.smallModel),
      digest: (text) => this.#digest(text),
      writable: () => this.writable,
    });
    this.#loop = new Loop({
      log,
      store,
      clock,
      ids,
      timer,
      gate: this.#gate,
      questions: this.#questions,
      locks,
      outputs: this.#outputs,
      reads: new SeenFiles(),
      model: (ref) => deps.model(ref, log.state.workspaceID),
      usable: (ref) => this.#usable(ref),
      hooks: deps.hooks ?? [],
      setup: () => this.#refreshedSetup(),
      tools: (model, agent) => this.#tools(model, agent),
      workspace: () => deps.workspace(log.state.workspaceID),
      beforeTurn: (parts, workspace) => this.#beforeTurn(parts, workspace),
      snapshots: this.#files,
      makesRoom: () => (deps.makesRoom?.() ?? true) && (this.#setup.compactsAutomatically ?? true),
      problem: (fault) => this.#problems.emit(fault),
      stepper: () => ties.stepper(this),
      tasks: (call) => ties.tasks(this, call),
      handOver: async (agent, text, model) => {
        this.#switchTo(agent);
        await this.prompt(text, { agent, model, origin: { kind: 'agent-switched', agent } });
      },
      digest: (text) => this.#digest(text),
      sentBody: (messageID, body) => deps.sentBody?.(this.id, messageID, body),
    });
    log.onEvents((events) => {
      if (events.some(({ type }) => type === 'turn.ended')) this.#files.turnEnded();
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
    return this.#oldestLoaded;
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
    return this.#problems.add(listener);
  }

  /**
   * Resolves once the prompt is on disk and the loop runs. If a turn is running already, its next step
   * includes the prompt. Rejects with a fault if the prompt was not accepted.
   */
  async prompt(text: string, options: PromptOptions = {}): Promise<void> {
    this.#requireWritable();
    if (text.trim() === '') throw new FaultError({ code: 'empty-prompt', what: 'The message is empty.' });
    const model = options.model ?? this.#deps.defaultModel();
    const stops = this.#stops;
    const unnamed = this.state.title === '' && this.#log.head === null;
    if (unnamed) this.#log.append({ type: 'session.titled', title: titleOf(text) });
    const messageID = this.#deps.ids.next('msg');
    await this.#log.appendStored(
      {
        type: 'prompt.accepted',
        messageID,
        parentID: this.#log.head,
        text,
        agent: options.agent ?? this.agent,
        model,
        ...(options.origin && { origin: options.origin }),
      },
      'strict',
    );
    this.#requireWritable();
    const stopped = this.#stops !== stops;
    if (!stopped && options.starts?.() !== false) this.#loop.accept(messageID);
    if (unnamed && this.#deps.titles?.(model)) void this.#asides.name(text, model);
  }

  /**
   * Sends a prompt from the app to the agent and model of the last message. It joins a running turn. If none
   * runs, it starts one only with `resume`, and never after a turn that the person stopped.
   */
  async announce(text: string, origin: Origin, resume: boolean): Promise<void> {
    const { head, messages } = this.state;
    const last = head === null ? undefined : messages.get(head);
    const starts = () => {
      const { turn, lastTurn } = this.state;
      if (turn !== null) return !this.#loop.stopping;
      return resume && lastTurn?.status !== 'aborted' && lastTurn?.status !== 'rejected';
    };
    await this.prompt(text, { origin, starts, ...(last && { model: last.model }) });
  }

  /** Sets the agent that receives the next prompts. */
  async chooseAgent(name: string): Promise<void> {
    this.#requireWritable();
    if (!primaryOf(this.#setup.agents).some((agent) => agent.name === name))
      throw new FaultError({ code: 'agent-unknown', what: 'There is no agent of this name.', where: name });
    if (name === this.agent) return;
    this.#switchTo(name);
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

  /** Folding the events has the same effect: the plan mode and the planning agent go together. */
  #switchTo(agent: string): void {
    this.#agent = agent;
    if (agent !== plan.name && this.#mode === 'plan') this.#mode = DEFAULT_MODE;
  }

  /** The agent that receives the next prompts. */
  get agent(): string {
    return this.#agent ?? firstOf(this.#setup.agents).name;
  }

  /** The mode in force now, which the parent session and the planning agent can override. */
  get mode(): Mode {
    if (this.agent === plan.name) return 'plan';
    return this.#ties.mode(this) ?? this.#mode;
  }

  /** The requests that the person refused in this turn, here and in the sub-agents' sessions. */
  get refused(): Map<string, string> {
    return this.#gate.refused;
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
    this.#granted = [...this.#granted, ...rules];
    this.#log.append({ type: 'rules.granted', rules: [...rules] });
  }

  /** Resolves when no turn runs, at once if none does, with the status of the last one. */
  rested(): Promise<TurnStatus> {
    return this.#loop.rested();
  }

  /**
   * Ends the running turn. A prompt that is not accepted yet starts no turn: it goes along with the next one.
   */
  abort(): void {
    this.#stops++;
    this.#loop.abort();
  }

  /**
   * `null` dismisses the question, which ends the turn. Ignored if it was answered or withdrawn meanwhile.
   */
  answerQuestion(requestID: string, answers: Answers | null, by: AnsweredBy): void {
    this.#questions.answer(requestID, answers, by);
  }

  /**
   * Has the conversation summarized, by default with the model of the last prompt: at once, or before the
   * next step of the running turn.
   */
  compact(model?: ModelRef): void {
    this.#requireWritable();
    const last = [...this.state.messages.values()].findLast(({ role }) => role === 'user');
    if (last) this.#loop.sumUp(model ?? last.model);
  }

  /**
   * Returns a Markdown summary of what was asked, done and changed, written by the model of the last prompt.
   * The conversation stays unchanged. `undefined` if `signal` was aborted or the session was closed. Rejects
   * with a fault.
   */
  async summarize(signal: AbortSignal, onText?: (text: string) => void): Promise<string | undefined> {
    this.#requireWritable();
    return this.#asides.summarize(signal, onText);
  }

  /** Retries a failed step now instead of after its delay; does nothing if no step waits. */
  retryNow(): void {
    this.#loop.retryNow();
  }

  /** Ignores an unknown id: the request was answered or withdrawn meanwhile. */
  answer(requestID: string, reply: Reply, by: AnsweredBy): void {
    void this.#gate.answer(requestID, reply, by);
  }

  answererChanged(): void {
    this.#gate.answererChanged();
    this.#questions.answererChanged();
  }

  /** Call this when saved rules changed elsewhere: in the settings, or in another tab. */
  async rulesChanged(): Promise<void> {
    this.#ties.changed(this);
    await this.reconsider();
  }

  /** Decides waiting requests again, by the current rules. */
  async reconsider(): Promise<void> {
    try {
      await this.#gate.rulesChanged();
    } catch (error) {
      this.#problems.emit(faultOf(error, 'rules-not-read'));
    }
  }

  /** Applies from now on, to waiting requests too. Resolves once the change survives a crash. */
  async setMode(mode: Mode): Promise<void> {
    this.#requireWritable();
    this.#mode = mode;
    if (mode === 'plan') this.#agent = plan.name;
    else if (this.#agent === plan.name) this.#agent = null;
    const stored = this.#log.appendStored({ type: 'mode.set', mode }, 'strict');
    // The configuration files may make the planning agent the default.
    if (mode !== 'plan' && this.agent === plan.name) {
      this.#switchTo(defaultAgent.name);
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

  /** The events and contents that are not on disk yet. */
  unstored(): ReturnType<SessionLog['unstored']> {
    return this.#log.unstored();
  }

  /** Reads a page of older messages into the state; false when there are none. */
  async loadOlder(limit = MESSAGES_PER_PAGE): Promise<boolean> {
    if (this.#oldestLoaded) return false;
    const before = Math.min(...[...this.state.messages.values()].map(({ seq }) => seq));
    const page = await readMessages(this.#deps.store, this.id, { before, limit });
    addRecords(this.state, page);
    this.#oldestLoaded = page.length < limit;
    return page.length > 0;
  }

  /** Drops a full output past its time; its preview stays. The event's commit also releases the blob. */
  async dropOutput(messageID: string, callID: string): Promise<void> {
    this.#requireWritable();
    while (!this.state.messages.has(messageID) && (await this.loadOlder()));
    this.#log.append({ type: 'output.dropped', messageID, callID });
    this.#restoreOutputs(this.state.parts.values());
    await this.#log.barrier('relaxed');
  }

  /** Stops the running turn and writes everything that is left. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#asides.close();
    this.abort();
    await this.rested();
    await this.#files.close();
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
      what: 'This session is no longer written by this tab.',
      next: 'Open it again.',
    });
  }

  #digest(text: string): Promise<Hash> {
    return this.#deps.digest?.(text) ?? Promise.resolve(hashText(text));
  }

  /** Skips a model that a file names but that lacks what it needs; the caller then uses another one. */
  #usable(ref: ModelRef | undefined): ModelRef | undefined {
    return ref && this.#deps.isSetUp?.(ref, this.state.workspaceID) !== false ? ref : undefined;
  }

  get #setup(): Setup {
    return this.#deps.setups?.current(this.state.workspaceID) ?? NO_SETUP;
  }

  async #refreshedSetup(): Promise<Setup> {
    return (await this.#deps.setups?.refresh(this.state.workspaceID)) ?? NO_SETUP;
  }

  #configured(agent: string): readonly SourcedRule[] {
    const rules = configuredRules(agent, this.#deps.settings(), this.state.limits, this.#setup);
    if (this.mode !== 'plan' || agent === plan.name) return rules;
    // A turn of another agent may still be running. From now on it may not change anything either.
    return [...rules, ...ownRules(plan.rules, 'mode')];
  }

  async #tools(model: ModelRef, agent: string): Promise<readonly ReadyTool[]> {
    const { registry, flags } = this.#deps;
    const workspace = await this.#deps.workspace(this.state.workspaceID);
    const setup = this.#setup;
    return registry.tools(model, agent, {
      rules: this.#configured(agent),
      workspace,
      agents: subagentsOf(setup.agents),
      own: this.#outputs.own,
      flags: withSwitches(flags?.() ?? new Set(), setup.flags),
    });
  }

  #beforeTurn(parts: Iterable<Part>, workspace: Workspace): void {
    this.#restoreOutputs(parts);
    this.#files.beforeTurn(workspace);
  }

  #restoreOutputs(parts: Iterable<Part>): void {
    for (const part of parts)
      if (part.type === 'tool' && part.fullOutput)
        this.#outputs.restore({ ...part.fullOutput, dropped: part.fullOutputDropped ?? false });
  }
}

/** Adds and removes the switches that configuration files turn on or off. */
function withSwitches(on: ReadonlySet<string>, set: Setup['flags']): ReadonlySet<string> {
  const flags = new Set(on);
  for (const [name, value] of Object.entries(set)) {
    if (value) flags.add(name);
    else flags.delete(name);
  }
  return flags;
}
