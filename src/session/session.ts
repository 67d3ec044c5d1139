import type { Clock, Ids } from '../base/clock.ts';
import { FaultError, faultOf, type Fault } from '../base/fault.ts';
import { hashText, type Hash } from '../base/hash.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { Timer } from '../base/timer.ts';
import { defaultAgent, primaryOf, subagentsOf } from '../agents/agents.ts';
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
import type { MadeFiles, ReadyTool } from '../tools/tool.ts';
import type { Tasks } from '../tools/task/tasks.ts';
import type { SnapshotSink, Workspace } from '../workspace/workspace.ts';
import type { Event, EventBody, ModelRef, Origin, TurnStatus } from './events.ts';
import type { Effort } from './effort.ts';
import { Asides, titleOf } from './asides.ts';
import { FileSnapshots } from './file-snapshots.ts';
import { gateLog } from './gate-log.ts';
import { Loop } from './loop.ts';
import type { LogStorage, SessionLog } from './log.ts';
import type { Model } from './model.ts';
import type { PathLocks } from './path-locks.ts';
import { MESSAGES_PER_PAGE, readMessages } from './older.ts';
import { Questions, type QuestionAnswerer } from './questions.ts';
import { addRecords } from './records.ts';
import { SeenFiles } from './seen-files.ts';
import type { Part, SessionState } from './state.ts';
import type { SessionStore } from './store.ts';
import type { Stepper } from './stepping/stepper.ts';
import type { TaskCall } from './subagents.ts';

/** What configuration files say of a workspace. */
export interface Setups {
  /** As it was read last. */
  current(workspaceID: string): Setup;
  /** As it is now. Never rejects. */
  refresh(workspaceID: string): Promise<Setup>;
  /** What the person keeps for every workspace. */
  ownFiles?(): OwnFiles;
}

/** What every session of the app is run with. */
export interface SessionDeps {
  readonly store: SessionStore;
  readonly rules: RuleStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timer: Timer;
  readonly registry: Toolbox;
  /** Run around every call, in this order. */
  readonly hooks?: readonly ToolHooks[];
  /** What tools can read beside the full outputs of a session. */
  madeFiles?(sessionID: string): MadeFiles;
  /** Switches of the settings that are on, as they stand now. */
  flags?(): ReadonlySet<string>;
  /** Rejects with a fault where there is no such model, or no key for it. */
  model(ref: ModelRef): Promise<Model>;
  /** What a prompt goes to that names no model; throws a fault where none is chosen. */
  defaultModel(): ModelRef;
  workspace(id: string): Promise<Workspace>;
  /** In the shape of opencode.json's `permission`, as they stand now. */
  settings(): PermissionSettings;
  /** What configuration files say; nothing, unless given. */
  readonly setups?: Setups;
  /** Answers before the person is asked. */
  answerer?(): Answerer | undefined;
  questionAnswerer?(): QuestionAnswerer | undefined;
  /** Puts the files and their manifest into `sink`; returns the manifest's hash. */
  snapshot?(workspace: Workspace, sink: SnapshotSink): Promise<Hash>;
  /** Whether new sessions are named by this model, beside the first turn; not, unless told. */
  titles?(model: ModelRef): boolean;
  /** Whether old outputs are taken out and conversations summed up unasked, where a model has no more room; yes, unless told. */
  makesRoom?(): boolean;
  /** The digest of a request's body; off the page's thread where that is possible. */
  digest?(text: string): Promise<Hash>;
  /** The body of a step's request, as it went out. */
  sentBody?(sessionID: string, messageID: string, body: string): void;
  /** Events that are on disk now: the moment to tell other tabs. */
  onCommitted?(sessionID: string, events: readonly Event[]): void;
}

/** What binds a session to others. */
export interface SessionTies {
  tasks(session: Session, call: TaskCall): Tasks;
  /** "Allow for this session" of those it works for. */
  inherited(session: Session): readonly GrantedRule[];
  /** How much those ask that it works for, which holds for it too; `undefined` where it works for nobody. */
  mode(session: Session): Mode | undefined;
  /** What the person refused in this turn of those it works for; `undefined` where it works for nobody. */
  refused(session: Session): Map<string, string> | undefined;
  /** What holds it before what happens next, where somebody steps. */
  stepper(session: Session): Stepper | undefined;
  /** Rules or the mode changed: whoever works for it is bound by that too. */
  changed(session: Session): void;
  /** Allowed here for the session: whoever it works for is allowed it too. */
  granted(session: Session, rules: readonly GrantedRule[]): void;
  /** A lasting yes was given here: what waits in other sessions may be answered by it too. */
  allowedMore(session: Session): void;
}

export interface PromptOptions {
  readonly agent?: string;
  readonly model?: ModelRef;
  readonly origin?: Origin;
  /** Asked once the prompt is on disk. False: it goes along with the next prompt that does start a turn. */
  readonly starts?: () => boolean;
}

/** What others have to say about a session. */
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
  #agent: string;
  #oldestLoaded: boolean;
  readonly #asides: Asides;
  #closed = false;
  /** How often the person stopped it. */
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
    this.#agent = log.state.agent ?? defaultAgent.name;
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
      // The turn ends with it, so that nobody needs the other answers any more.
      dismissed: () => {
        this.#gate.cancelAll();
        this.#questions.cancelAll();
      },
    });
    this.#asides = new Asides({
      log,
      store,
      model: (ref) => deps.model(ref),
      smallModel: () => this.#setup.smallModel,
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
      model: (ref) => deps.model(ref),
      hooks: deps.hooks ?? [],
      setup: () => this.#refreshedSetup(),
      tools: (model, agent) => this.#tools(model, agent),
      workspace: () => deps.workspace(log.state.workspaceID),
      beforeTurn: (parts, workspace) => this.#beforeTurn(parts, workspace),
      beforeCalls: () => this.#files.ready(),
      makesRoom: () => (deps.makesRoom?.() ?? true) && (this.#setup.makesRoom ?? true),
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
      // Somebody else goes on with this session: what happened here from now on could never be kept.
      if (this.#conflict) this.abort();
    });
  }

  /** Live: changed in place as events are folded. */
  get state(): SessionState {
    return this.#log.state;
  }

  get writable(): boolean {
    return !this.#closed && this.#conflict === undefined;
  }

  /** Whether what happens reaches the disk; while it does not, the session goes on in memory. */
  get storage(): LogStorage {
    return this.#log.storage;
  }

  /** Every message of the session is in the state. */
  get oldestLoaded(): boolean {
    return this.#oldestLoaded;
  }

  onEvents(listener: (events: readonly Event[]) => void): Unlisten {
    return this.#log.onEvents(listener);
  }

  onStorage(listener: (storage: LogStorage) => void): Unlisten {
    return this.#log.onStorage(listener);
  }

  /** What went wrong without ending a turn: a rule that was not kept, files that could not be recorded. */
  onProblem(listener: (fault: Fault) => void): Unlisten {
    return this.#problems.add(listener);
  }

  /**
   * Resolves when the prompt is on disk and the loop runs, or, where a turn runs, will take it up with its next
   * step. Rejects with a fault where it was not accepted.
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
        agent: options.agent ?? this.#agent,
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
   * A prompt from the app, to the agent and model that were spoken to last. It joins the turn that runs; where none runs
   * it starts one only with `resume`, and not where the person stopped the last one.
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

  /** Whom the next prompts go to. */
  async chooseAgent(name: string): Promise<void> {
    this.#requireWritable();
    if (!primaryOf(this.#setup.agents).some((agent) => agent.name === name))
      throw new FaultError({ code: 'agent-unknown', what: 'There is no agent of this name.', where: name });
    if (name === this.#agent) return;
    this.#switchTo(name);
    this.#log.append({ type: 'agent.chosen', agent: name });
    // What waits may be decided now.
    await this.rulesChanged();
    await this.#log.barrier('relaxed');
  }

  /** How much models think from the next step on; `null`: as much as they do unasked. */
  async chooseEffort(effort: Effort | null): Promise<void> {
    this.#requireWritable();
    if (effort === (this.state.effort ?? null)) return;
    this.#log.append({ type: 'effort.chosen', effort });
    await this.#log.barrier('relaxed');
  }

  /** As the events say it: the plan mode and the planning agent go together. */
  #switchTo(agent: string): void {
    this.#agent = agent;
    if (agent !== plan.name && this.#mode === 'plan') this.#mode = DEFAULT_MODE;
  }

  /** How much it asks now. */
  get mode(): Mode {
    if (this.#agent === plan.name) return 'plan';
    return this.#ties.mode(this) ?? this.#mode;
  }

  /** What the person refused in this turn, here and where others work for this session. */
  get refused(): Map<string, string> {
    return this.#gate.refused;
  }

  /** Models are told this message as it is again, whatever the person made of it at a pause. */
  async tellAsItIs(messageID: string): Promise<void> {
    await this.#caughtUp();
    const retold = this.state.retold?.find((each) => each.messageID === messageID);
    if (!retold) return;
    this.#log.append({ type: 'message.retold', messageID, model: retold.model, told: null });
    await this.#log.barrier('relaxed');
  }

  /** This agent is told its own system prompt again, whatever the person wrote in its place at a pause. */
  async tellOwnSystem(agent: string): Promise<void> {
    await this.#caughtUp();
    const retold = this.state.retoldSystems?.find((each) => each.agent === agent);
    if (!retold) return;
    this.#log.append({ type: 'system.retold', messageID: retold.messageID, agent, told: null });
    await this.#log.barrier('relaxed');
  }

  /** What was appended may not be in the state yet. */
  async #caughtUp(): Promise<void> {
    while (this.#log.behind) await this.#log.barrier('relaxed');
    this.#requireWritable();
  }

  note(body: Note): void {
    this.#requireWritable();
    this.#log.append(body);
  }

  /** Allows it for this session. */
  grant(rules: readonly GrantedRule[]): void {
    if (!this.writable) return;
    this.#granted = [...this.#granted, ...rules];
    this.#log.append({ type: 'rules.granted', rules: [...rules] });
  }

  /** When no turn runs, at once if none does: how the last one ended. */
  rested(): Promise<TurnStatus> {
    return this.#loop.rested();
  }

  /** Ends the turn that runs. A prompt that is not accepted yet starts none: it goes along with the next. */
  abort(): void {
    this.#stops++;
    this.#loop.abort();
  }

  /** `null` dismisses, which ends the turn. Ignored where it was answered or withdrawn meanwhile. */
  answerQuestion(requestID: string, answers: Answers | null, by: AnsweredBy): void {
    this.#questions.answer(requestID, answers, by);
  }

  /** Has the conversation summed up, by the model of the last prompt unless told: at once, or before the next step. */
  compact(model?: ModelRef): void {
    this.#requireWritable();
    const last = [...this.state.messages.values()].findLast(({ role }) => role === 'user');
    if (last) this.#loop.sumUp(model ?? last.model);
  }

  /**
   * A summary of what was asked, done and changed, in Markdown, by the model of the last prompt; the conversation stays
   * as it is. `undefined` where `signal` was aborted or the session closed. Rejects with a fault.
   */
  async summarize(signal: AbortSignal, onText?: (text: string) => void): Promise<string | undefined> {
    this.#requireWritable();
    return this.#asides.summarize(signal, onText);
  }

  /** The failed step that waits to be tried again waits no longer; nothing where none does. */
  retryNow(): void {
    this.#loop.retryNow();
  }

  /** An unknown id is ignored: it was answered or withdrawn meanwhile. */
  answer(requestID: string, reply: Reply, by: AnsweredBy): void {
    void this.#gate.answer(requestID, reply, by);
  }

  answererChanged(): void {
    this.#gate.answererChanged();
    this.#questions.answererChanged();
  }

  /** Saved rules changed elsewhere: in the settings, in another tab. */
  async rulesChanged(): Promise<void> {
    this.#ties.changed(this);
    await this.reconsider();
  }

  /** What waits is decided anew, by the rules as they stand now. */
  async reconsider(): Promise<void> {
    try {
      await this.#gate.rulesChanged();
    } catch (error) {
      this.#problems.emit(faultOf(error, 'rules-not-read'));
    }
  }

  /** From now on, for what waits too. Resolves once it survives a crash. */
  async setMode(mode: Mode): Promise<void> {
    this.#requireWritable();
    this.#mode = mode;
    if (mode === 'plan') this.#agent = plan.name;
    else if (this.#agent === plan.name) this.#agent = defaultAgent.name;
    const stored = this.#log.appendStored({ type: 'mode.set', mode }, 'strict');
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

  /** Reads a page of older messages into the state; false when there are none. */
  async loadOlder(limit = MESSAGES_PER_PAGE): Promise<boolean> {
    if (this.#oldestLoaded) return false;
    const before = Math.min(...[...this.state.messages.values()].map(({ seq }) => seq));
    const page = await readMessages(this.#deps.store, this.id, { before, limit });
    addRecords(this.state, page);
    this.#oldestLoaded = page.length < limit;
    return page.length > 0;
  }

  /** A full output is past its time: its preview stays. Lets go of the blob with the commit of the event. */
  async dropOutput(messageID: string, callID: string): Promise<void> {
    this.#requireWritable();
    while (!this.state.messages.has(messageID) && (await this.loadOlder()));
    this.#log.append({ type: 'output.dropped', messageID, callID });
    this.#restoreOutputs(this.state.parts.values());
    await this.#log.barrier('relaxed');
  }

  /** Stops the turn that runs and writes what is left. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#asides.close();
    this.abort();
    await this.rested();
    await this.#files.close();
    await this.#log.close();
  }

  /** The log was continued by another writer. */
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

  get #setup(): Setup {
    return this.#deps.setups?.current(this.state.workspaceID) ?? NO_SETUP;
  }

  async #refreshedSetup(): Promise<Setup> {
    return (await this.#deps.setups?.refresh(this.state.workspaceID)) ?? NO_SETUP;
  }

  #configured(agent: string): readonly SourcedRule[] {
    const rules = configuredRules(agent, this.#deps.settings(), this.state.limits, this.#setup);
    if (this.mode !== 'plan' || agent === plan.name) return rules;
    // A turn of another agent is under way: it changes nothing any more either.
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

/** The switches that are on, once files have turned some on or off. */
function withSwitches(on: ReadonlySet<string>, set: Setup['flags']): ReadonlySet<string> {
  const flags = new Set(on);
  for (const [name, value] of Object.entries(set)) {
    if (value) flags.add(name);
    else flags.delete(name);
  }
  return flags;
}
