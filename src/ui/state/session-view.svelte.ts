/* eslint-disable svelte/prefer-svelte-reactivity -- these maps and sets are made anew and never changed */
import { DEFAULT_MODE, type Mode } from '../../permissions/modes.ts';
import type { PermissionRequest, Reply } from '../../permissions/types.ts';
import type { Event, ModelRef, Parent, Spent } from '../../session/log/events.ts';
import type { Effort } from '../../session/log/effort.ts';
import { undonePrompts, type Versions } from '../../session/log/versions.ts';
import { contextOf, type ContextUse } from '../../session/request/context.ts';
import type { Usage } from '../../session/log/parts.ts';
import type { Retry, SessionState, Task } from '../../session/log/state.ts';
import { defaultAgent } from '../../agents/agents.ts';
import { plan } from '../../agents/plan.ts';
import { spentWithTasks } from '../../session/log/spent.ts';
import { isOpen } from '../../session/log/todos.ts';
import type { Todo } from '../../tools/todo/todo-list.ts';
import type { Answers } from '../../tools/question/schema.ts';
import type { SessionHandle } from '../app.ts';
import { asksOf, type Asking } from './asking.ts';
import {
  sameItems,
  type MessageGroup,
  type MessageView,
  type PartView,
  type Retellings,
} from './message-view.svelte.ts';
import type { Painter } from './painter.ts';
import { ShownMessages } from './shown-messages.svelte.ts';

const NO_TODOS: readonly Todo[] = [];

/**
 * A session as the screen reads it: a cell for each message and part, so that a delta renders only its own
 * part again. It paints at most once per frame. The session's own state is only read, never made reactive.
 */
export class SessionView {
  readonly session: SessionHandle;
  readonly #painter: Painter;
  readonly #below: () => readonly SessionHandle[];
  readonly #unlisten: () => void;
  readonly #shown: ShownMessages;

  #title = $state.raw('');
  #mode = $state.raw<Mode>(DEFAULT_MODE);
  #agent = $state.raw<string | null>(null);
  readonly #first: () => string;
  #effort = $state.raw<Effort | null>(null);
  #tasks = $state.raw<readonly Task[]>([]);
  #keep = $state.raw(false);
  #turn = $state.raw<SessionState['turn']>(null);
  #lastTurn = $state.raw<SessionState['lastTurn']>(null);
  #retry = $state.raw<Retry | null>(null);
  #pending = $state.raw<readonly PermissionRequest[]>([]);
  #paused = $state.raw(false);
  #asking = $state.raw<Asking | null>(null);
  #askingCount = $state.raw(0);
  #todos = $state.raw<readonly Todo[]>([]);
  #usage = $state.raw<Usage>({});
  #cost = $state.raw<number | null>(null);
  #unpriced = $state.raw(false);
  #withTasks = $state.raw<Spent | null>(null);
  #context = $state.raw<ContextUse | null>(null);
  #prunedBefore = $state.raw(0);
  #retold = $state.raw<SessionState['retold']>();
  #retoldSystems = $state.raw<SessionState['retoldSystems']>();
  #undone = $state.raw<number | null>(null);
  #restoring = $state.raw(false);
  #startSnapshot = $state.raw<string | null>(null);
  #turnSnapshot = $state.raw<string | null>(null);
  readonly retold: Retellings = $derived({
    messages: new Set(this.#retold?.map(({ messageID }) => messageID)),
    systems: new Map(this.#retoldSystems?.map(({ messageID, agent }) => [messageID, agent])),
  });
  #writable = $state.raw(true);

  /**
   * `below` returns the sessions of sub-agents at any depth, whose requests this page shows too. `first`
   * returns the agent that gets prompts if nobody chose one.
   */
  constructor(
    session: SessionHandle,
    painter: Painter,
    below: () => readonly SessionHandle[] = () => [],
    first: () => string = () => defaultAgent.name,
  ) {
    this.session = session;
    this.#first = first;
    this.#below = below;
    this.#painter = painter;
    this.#shown = new ShownMessages(session);
    this.#unlisten = session.onEvents((events) => this.#take(events));
    this.#paint();
  }

  get id(): string {
    return this.session.id;
  }
  get messages(): readonly MessageView[] {
    return this.#shown.all;
  }
  get groups(): readonly MessageGroup[] {
    return this.#shown.groups;
  }
  /** The prompts that stand in each other's place in different versions of the conversation, keyed by each of them. */
  get versions(): Versions {
    return this.#shown.versions;
  }
  /** How many prompts can be brought back by a redo; `null` if there is nothing to redo. */
  get undone(): number | null {
    return this.#undone;
  }
  /** True while files or the conversation are being restored. */
  get restoring(): boolean {
    return this.#restoring;
  }
  get title(): string {
    return this.#title;
  }
  get keep(): boolean {
    return this.#keep;
  }
  get turn(): SessionState['turn'] {
    return this.#turn;
  }
  /** True while a command of the person runs. */
  readonly commanding = $derived.by(() => {
    const last = this.messages.at(-1);
    if (last?.message.origin?.kind !== 'command') return false;
    return last.parts.length < 2 || last.parts.some(({ part }) => part.type === 'tool' && !part.outcome);
  });
  /** True while a turn or a command of the person runs. */
  get busy(): boolean {
    return this.#turn !== null || this.commanding;
  }
  /** The manifest of the files when the first message was sent; `null` before that. */
  get startSnapshot(): string | null {
    return this.#startSnapshot;
  }
  /** The manifest of the files as the last turn began; `null` before the first one. */
  get turnSnapshot(): string | null {
    return this.#turnSnapshot;
  }
  get lastTurn(): SessionState['lastTurn'] {
    return this.#lastTurn;
  }
  /** The failed step that is waiting for its next attempt. */
  get retrying(): Retry | null {
    return this.#retry;
  }
  get pending(): readonly PermissionRequest[] {
    return this.#pending;
  }
  get mode(): Mode {
    return this.agent === plan.name ? 'plan' : this.#mode;
  }
  /** The agent that receives the next prompts. */
  get agent(): string {
    return this.#agent ?? this.#first();
  }
  /** The chosen reasoning effort; `null` if none was chosen. */
  get effort(): Effort | null {
    return this.#effort;
  }
  /** The tasks that were given to sub-agents. */
  get tasks(): readonly Task[] {
    return this.#tasks;
  }
  /** Present if this is a sub-agent's session. */
  get parent(): Parent | undefined {
    return this.session.state.parent;
  }
  get asking(): Asking | null {
    return this.#asking;
  }
  /** The number of waiting requests, including the one in the dock. */
  get askingCount(): number {
    return this.#askingCount;
  }
  /** The list of tasks; empty once all of them are done. */
  get todos(): readonly Todo[] {
    return this.#todos;
  }
  get usage(): Usage {
    return this.#usage;
  }
  /** US dollars for everything with a known price; `null` if nothing has one. */
  get cost(): number | null {
    return this.#cost;
  }
  /** True if a part of the usage has no known price. */
  get unpriced(): boolean {
    return this.#unpriced;
  }
  /** Usage and cost including sub-agents; `null` if none worked for this session. */
  get withTasks(): Spent | null {
    return this.#withTasks;
  }
  /** How full the model's context is; `null` before the first request. */
  get context(): ContextUse | null {
    return this.#context;
  }
  /** The model no longer gets the outputs of messages with a smaller `seq`. */
  get prunedBefore(): number {
    return this.#prunedBefore;
  }
  get writable(): boolean {
    return this.#writable;
  }
  /** True if the view shows an earlier moment: a recording, or the session as it was. */
  get past(): boolean {
    return this.session.past ?? false;
  }
  /** True if there are older messages that are not on the screen yet. */
  get hasOlder(): boolean {
    return this.#shown.hasOlder;
  }

  /** The state of the turn, named like the states of calls; `null` while no turn runs. */
  readonly activity = $derived.by<'thinking' | 'running' | 'waiting' | 'paused' | null>(() => {
    if (this.#asking) return 'waiting';
    if (!this.#turn) return null;
    if (this.#paused) return 'paused';
    const parts = this.messages.at(-1)?.parts ?? [];
    // The requests of an earlier moment are not open any more, but its calls still show that they waited.
    const isWaiting = ({ part }: PartView) => part.type === 'tool' && part.waiting !== undefined;
    if (this.past && parts.some(isWaiting)) return 'waiting';
    return parts.some((view) => view.part.type === 'tool' && view.part.status === 'running')
      ? 'running'
      : 'thinking';
  });

  prompt(text: string, model: ModelRef | null, agent?: string): Promise<void> {
    return this.session.prompt(text, { ...(model && { model }), ...(agent !== undefined && { agent }) });
  }

  /** Sends the person's last message again. */
  retry(model: ModelRef | null): Promise<void> {
    const last = this.messages.findLast(({ message }) => message.role === 'user' && !message.origin);
    const text = last?.parts.map((view) => (view.part.type === 'text' ? view.part.text : '')).join('');
    return text ? this.prompt(text, model) : Promise.resolve();
  }

  setMode(mode: Mode): Promise<void> {
    return this.session.setMode(mode);
  }

  chooseAgent(name: string): Promise<void> {
    return this.session.chooseAgent(name);
  }

  chooseEffort(effort: Effort | null): Promise<void> {
    return this.session.chooseEffort(effort);
  }

  stop(): void {
    this.session.abort();
  }

  /** Tries the waiting failed step again at once. */
  retryNow(): void {
    this.session.retryNow();
  }

  answer(requestID: string, reply: Reply): void {
    this.#asker(requestID).answer(requestID, reply, 'person');
  }

  /** `null` dismisses the question. */
  answerQuestion(requestID: string, answers: Answers | null): void {
    this.#asker(requestID).answerQuestion(requestID, answers, 'person');
  }

  #asker(requestID: string): SessionHandle {
    const asks = ({ state }: SessionHandle) => state.pending.has(requestID) || state.questions.has(requestID);
    return this.#below().find(asks) ?? this.session;
  }

  /** Called when something happened in a sub-agent's session. */
  belowChanged(): void {
    this.#painter.schedule(this.#paint);
  }

  /** Shows a few older messages, from memory first, then from the store. */
  async showOlder(): Promise<void> {
    const loaded = this.#shown.all;
    await this.#shown.showOlder();
    if (this.#shown.all !== loaded) this.#paint();
  }

  /** Reads everything again, after the session changed without an event. */
  refresh(): void {
    this.#shown.refresh();
    this.#paint();
  }

  /** The state is now that of another moment. */
  replaced(): void {
    this.#shown.replaced();
    this.#painter.schedule(this.#paint);
  }

  close(): void {
    this.#unlisten();
    this.#painter.cancel(this.#paint);
  }

  #spent(): Spent {
    const live = new Map(this.#below().map(({ id, state }) => [id, state]));
    return spentWithTasks(this.session.state, (id) => live.get(id));
  }

  #take(events: readonly Event[]): void {
    this.#shown.take(events);
    this.#painter.schedule(this.#paint);
  }

  #paint = (): void => {
    const { state } = this.session;
    this.#shown.paint();
    this.#undone = undonePrompts(state);
    this.#restoring = state.restoring !== undefined;
    this.#title = state.title;
    this.#keep = state.keep;
    this.#agent = state.agent;
    this.#mode = state.mode ?? DEFAULT_MODE;
    this.#effort = state.effort ?? null;
    this.#tasks = state.tasks;
    this.#turn = state.turn;
    this.#lastTurn = state.lastTurn;
    this.#retry = state.retry ?? null;
    this.#todos = isOpen(state.todos) ? state.todos : NO_TODOS;
    this.#usage = state.usage;
    this.#cost = state.cost ?? null;
    this.#unpriced = state.unpriced ?? false;
    this.#withTasks = state.tasks.length > 0 ? this.#spent() : null;
    this.#prunedBefore = state.prunedBefore ?? 0;
    this.#retold = state.retold;
    this.#retoldSystems = state.retoldSystems;
    this.#startSnapshot = state.startSnapshot;
    this.#turnSnapshot = state.snapshots?.turn ?? null;
    this.#context = contextOf(state);
    this.#writable = this.session.writable;
    this.#paused = [this.session, ...this.#below()].some((each) => each.state.paused);
    const pending = [...state.pending.values()];
    if (!sameItems(pending, this.#pending)) this.#pending = pending;
    const asks = [this.session, ...this.#below()].flatMap(asksOf);
    this.#askingCount = asks.length;
    // A request that the person is answering is never replaced by a later one.
    if (!asks.some(({ request }) => request === this.#asking?.request)) this.#asking = asks[0] ?? null;
  };
}
