import type { Page } from '@playwright/test';
import { messageOf } from '../../src/base/message-of.ts';
import { withResolvers } from '../../src/base/with-resolvers.ts';
import type { AgentEvent } from '../facts/agent-event.ts';
import type { Facts } from '../facts/events.ts';
import { PageTools } from '../web-mcp/page-tools.ts';
import { factsOf, FactsFold } from '../facts/facts.ts';
import { shown } from '../matchers/matches.ts';
import { transcriptOf } from '../facts/transcript.ts';
import {
  Answers,
  type PermissionHandler,
  type PermissionReply,
  type PermissionRequest,
  type QuestionHandler,
  type QuestionRequest,
} from './answers.ts';
import { EventFeed } from './event-feed.ts';
import { connectFeed, FEED } from './page-feed.ts';
import type { TestModel } from './model.ts';
import { checkTool } from '../options/check-options.ts';
import { requireKnownOptions } from '../options/known-options.ts';
import type { OpenCalls } from './open-calls.ts';
import { KINDS, tell, type AgentListeners, type AnyListener } from './listeners.ts';
import type { PromptOptions, ToolResult } from './page-calls.ts';

/** How a turn ended: `idle` is the good end. */
export interface TurnResult {
  readonly sessionID: string;
  readonly status: 'idle' | 'error' | 'aborted' | 'rejected' | 'interrupted';
  /** Why it ended with an error. */
  readonly problem?: string;
}

/** A turn that runs: await it for its end, or go through its events with `for await`. */
export type RunningTurn = Promise<TurnResult> & AsyncIterable<AgentEvent>;

/** A tool of the test. */
export interface TestTool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Returns a text, `{ output, title? }` or any other JSON. What it throws is the error that the model reads; a failed `expect` fails the test, too. */
  execute(input: Record<string, unknown>): unknown;
}

/** Does something that a report names by its title. */
type Step = <Result>(title: string, body: () => Promise<Result>) => Promise<Result>;

/** One piece of news; an empty one is told to know that all earlier ones have arrived. */
type Told =
  | { readonly event: AgentEvent }
  | { readonly permission: PermissionRequest }
  | { readonly question: QuestionRequest }
  | { readonly tool: number; readonly input: Record<string, unknown> }
  | Readonly<Record<never, never>>;

/** The agent of one page. It tells about its own session; permissions for its sub-agents' calls are answered here too. */
export class Agent {
  readonly page: Page;
  readonly model: TestModel;
  readonly #feed = new EventFeed();
  readonly #answers = new Answers();
  readonly #open: OpenCalls;
  /** One for each session that the page has told about. */
  readonly #folds = new Map<string, FactsFold>();
  /** The pages whose tools the agent has. */
  readonly #pages: PageTools[] = [];
  /** Where prompts and calls of tools go that name no other agent. */
  readonly #usual: { readonly agent?: string };
  /** Resolves when all prompts so far have gone to the page, or have failed before: none can be aborted sooner. */
  #sent: Promise<unknown> = Promise.resolve();
  /** Where the last prompt went. */
  #last: { readonly agent?: string };
  #step: Step = (_title, body) => body();
  #sessionID = '';
  /** Whether the document on the page tells what happens. */
  #listens = false;
  /** The events that the session had when the test began. */
  #earlier: { readonly sessionID: string; readonly events: number } | undefined;
  /** The functions that run the tools of the test. The page names each by its index. */
  readonly #tools: TestTool['execute'][] = [];

  private constructor(page: Page, model: TestModel, name?: string) {
    this.page = page;
    this.model = model;
    this.#open = model.open;
    this.#usual = name === undefined ? {} : { agent: name };
    this.#last = this.#usual;
  }

  /**
   * Connects with a page that is still empty, where this is quickest. The page knows of nothing before {@link begin}.
   * `name` is the agent that prompts go to if they name no other one.
   */
  static async connect(page: Page, model: TestModel, name?: string): Promise<Agent> {
    const agent = new Agent(page, model, name);
    page.on('domcontentloaded', () => (agent.#listens = false));
    await connectFeed(page, (told: Told) => agent.#told(told));
    return agent;
  }

  /** Listens to the page. `sessionID` is the session on it. */
  async begin(sessionID: string): Promise<void> {
    this.#sessionID = sessionID;
    await this.listen();
  }

  /** Listens to the page, unless it does so already. A page that was loaded again knows of no listeners. */
  async listen(): Promise<void> {
    if (this.#listens) return;
    this.#listens = true;
    await this.page.evaluate(async (name) => {
      const automation = Reflect.get(window, 'vitrine');
      // The page of another server says so with the call that follows.
      if (!automation) return;
      await automation.ready;
      const tell = Reflect.get(window, name);
      automation.onEvent((event: unknown) => tell({ event }));
      automation.onPermission((request: unknown) => tell({ permission: request }));
      automation.onQuestion((request: unknown) => tell({ question: request }));
    }, FEED);
  }

  /** Leaves out of `facts` all that the session has at this moment, because it came from a recording and not from the test. */
  async goOn(): Promise<void> {
    const log = await this.log();
    this.#earlier = { sessionID: this.#sessionID, events: log.length };
  }

  /** Shows prompts and calls of tools as steps of a report. */
  reportSteps(step: Step): void {
    this.#step = step;
  }

  get sessionID(): string {
    return this.#sessionID;
  }

  /**
   * Sends a message. Resolves when the agent has stopped; rejects if no model was chosen, or if the agent asked for
   * something that nothing answers.
   */
  prompt(text: string, options: PromptOptions = {}): RunningTurn {
    const start = this.#feed.length;
    const { promise, resolve } = withResolvers<void>();
    this.#sent = Promise.all([this.#sent, promise]);
    const title = `agent.prompt(${shown(text)})`;
    const run = () => this.#run(text, { ...this.#usual, ...options }, resolve);
    const turn = this.#open.track(title, this.#step(title, run));
    void turn.then(
      () => resolve(),
      () => resolve(),
    );
    return Object.assign(turn, { [Symbol.asyncIterator]: () => this.#feed.until(turn, start) });
  }

  /** Ends what runs. Prompts that were sent have ended then, too. */
  abort(): Promise<void> {
    const aborted = this.#sent
      .then(() => this.#open.call(this.page, 'abort'))
      .then(() => this.#open.ended('agent.prompt('));
    return this.#open.track('agent.abort()', aborted);
  }

  /** Trusts what the workspace's own files allow, as they are now: rules, agents, servers, custom tools and plugins. */
  trust(): Promise<{ trusted: string[] }> {
    return this.#open.track('agent.trust()', this.#open.call(this.page, 'trust'));
  }

  /**
   * Gives the agent a tool whose code runs in the test. It hides a tool of the app that has its name, asks for the permission
   * of its name, and is gone when the page is loaded again. Returns a function that takes it back before.
   */
  addTool(tool: TestTool): Promise<() => Promise<void>> {
    checkTool(tool);
    return this.#open.track(`agent.addTool(${shown(tool.name)})`, this.#register(tool));
  }

  async #register({ name, description = '', schema = {}, execute }: TestTool): Promise<() => Promise<void>> {
    this.#open.requireTest(`agent.addTool(${shown(name)})`);
    const at = this.#tools.push(execute) - 1;
    const takeBack = await this.page.evaluateHandle(
      ([given, tool, feed]) => {
        const automation: { readonly tools: { register(tool: object): Promise<() => void> } } = Reflect.get(
          window,
          'vitrine' as string,
        );
        const tell = Reflect.get(window, feed as string);
        return automation.tools.register({ ...given, execute: (input: unknown) => tell({ tool, input }) });
      },
      [{ name, description, schema }, at, FEED] as const,
    );
    return () => takeBack.evaluate((take) => take());
  }

  /**
   * Gives the agent the tools that a page of yours offers through WebMCP (`document.modelContext`), as they come and go.
   * Where the browser has no WebMCP, the page gets a stand-in if this is called before `page.goto()`. `prefix` stands before
   * the tools' names.
   */
  usePage(page: Page, options: { readonly prefix?: string } = {}): Promise<void> {
    requireKnownOptions('agent.usePage()', options, ['prefix']);
    const { prefix = '' } = options;
    const connected = PageTools.connect(page, (tool) => this.#register(tool), prefix);
    return this.#open.track(
      'agent.usePage(…)',
      connected.then((tools) => void this.#pages.push(tools)),
    );
  }

  /**
   * Calls a tool as the agent could: its rules decide, `onPermission` answers, and the call is in the session. It is the
   * test's own, so the matchers do not count it among the agent's calls. Rejects while a turn runs.
   */
  callTool(
    tool: string,
    input: unknown = {},
    options: { readonly agent?: string } = {},
  ): Promise<ToolResult> {
    const title = `agent.callTool(${shown(tool)}, ${shown(input)})`;
    const called = this.#step(title, async () => {
      const result = await this.#open.call(this.page, 'tools.call', tool, input, {
        ...this.#usual,
        ...options,
      });
      await this.#settled();
      return result;
    });
    return this.#open.track(title, called);
  }

  /** Answers requests for permissions. `null` leaves them to the page, where the test can click. */
  onPermission(handler: (request: PermissionRequest) => Promise<PermissionReply>): void;
  // TypeScript takes the text that an `async` function returns for any text, unless a promise is all that it may return.
  onPermission(handler: PermissionHandler | null): void;
  onPermission(handler: PermissionHandler | null): void {
    this.#answers.onPermission(handler);
  }

  /** Answers the agent's questions. `null` leaves them to the page. */
  onQuestion(handler: QuestionHandler | null): void {
    this.#answers.onQuestion(handler);
  }

  /** Listens from now on. Returns a function that stops. */
  on<Kind extends keyof AgentListeners>(kind: Kind, listener: AgentListeners[Kind]): () => void {
    if (!KINDS.has(kind))
      throw new Error(`agent.on() knows no "${kind}". It listens to ${[...KINDS].join(', ')}.`);
    return this.#feed.onEvent((event) => {
      const fold = this.#folds.get(event.sessionID);
      if (event.sessionID === this.#sessionID && fold) tell({ kind, listener } as AnyListener, event, fold);
    });
  }

  /** Goes through the session's events as they happen, from the first one of this page. */
  async *events(): AsyncGenerator<AgentEvent, void, undefined> {
    for await (const event of this.#feed.all()) if (event.sessionID === this.#sessionID) yield event;
  }

  /**
   * Resolves with the first event of this page that fits, whether it has happened already or not. Rejects after
   * `timeoutMs`, 30 seconds unless given.
   */
  waitFor<Fitting extends AgentEvent>(
    fits: (event: AgentEvent) => event is Fitting,
    options?: { readonly timeoutMs?: number },
  ): Promise<Fitting>;
  waitFor(
    fits: (event: AgentEvent) => boolean,
    options?: { readonly timeoutMs?: number },
  ): Promise<AgentEvent>;
  waitFor(
    fits: (event: AgentEvent) => boolean,
    options: { readonly timeoutMs?: number } = {},
  ): Promise<AgentEvent> {
    requireKnownOptions('agent.waitFor()', options, ['timeoutMs']);
    const { timeoutMs = 30_000 } = options;
    return this.#open.track('agent.waitFor(…)', this.#firstFit(fits, timeoutMs));
  }

  async #firstFit(fits: (event: AgentEvent) => boolean, timeoutMs: number): Promise<AgentEvent> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const seen: AgentEvent[] = [];
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        const message = `No event that fits happened within ${timeoutMs} ms. ${newest(seen)}`;
        reject(new Error(message));
      }, timeoutMs);
    });
    const events = this.events();
    const found = (async () => {
      for await (const event of events) {
        if (fits(event)) return event;
        seen.push(event);
      }
      throw new Error('The page was closed before an event that fits happened.');
    })();
    try {
      return await Promise.race([found, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The whole log of the session. */
  log(): Promise<AgentEvent[]> {
    return this.#open.call(this.page, 'sessions.events', this.#sessionID);
  }

  /** Returns what the matchers judge: the facts of the session, without what a recording brought. */
  async facts(): Promise<Facts> {
    const log = await this.log();
    const { sessionID, events } = this.#earlier ?? { sessionID: '', events: 0 };
    return factsOf(sessionID === this.#sessionID ? log.slice(events) : log);
  }

  /** The names of all tools that the page has. */
  toolNames(): Promise<readonly string[]> {
    return this.#open.call(this.page, 'tools.ids');
  }

  /** The names of the tools that rules keep from the agent, as they are now. */
  deniedTools(): Promise<readonly string[]> {
    return this.#open.call(this.page, 'tools.denied', this.#last);
  }

  /** The whole session as Markdown, without times and ids. */
  async transcript(): Promise<string> {
    return transcriptOf(factsOf(await this.log()));
  }

  /** The session as a recording, which *Import* and `npx vitrine show` open. */
  recording(): Promise<unknown> {
    return this.#open.call(this.page, 'sessions.export', this.#sessionID);
  }

  /**
   * Ends everything that reads events; the fixture calls it after the test. Throws what a handler threw in a turn that the
   * test did not wait for.
   */
  close(): void {
    this.#feed.close();
    this.#answers.check();
  }

  /** Takes what the page tells, and returns its answer. */
  #told(told: Told): unknown {
    if ('event' in told) return this.#heard(told.event);
    if ('permission' in told) return this.#answers.permission(told.permission);
    if ('question' in told) return this.#answers.question(told.question);
    if ('tool' in told) return this.#answers.ofTool(() => this.#tools[told.tool]?.(told.input));
    return undefined;
  }

  #heard(event: AgentEvent): void {
    const fold = this.#folds.get(event.sessionID) ?? new FactsFold();
    this.#folds.set(event.sessionID, fold);
    fold.take(event);
    this.#feed.push(event);
  }

  /** `sent` is called when the page has the prompt. */
  async #run(text: string, options: PromptOptions, sent: () => void): Promise<TurnResult> {
    const [choosing] = this.#open.titles('model.');
    if (choosing !== undefined)
      throw new Error(`${choosing} has not ended yet. Is there an \`await\` before it?`);
    if (!this.model.isChosen)
      throw new Error(
        'The test has not chosen a model. Give it a script with model.script([…]) or test.use({ vitrine: { script } }), ' +
          'or a provider with model.use({ provider, model }).',
      );
    this.#last = options.agent === undefined ? {} : { agent: options.agent };
    for (const used of this.#pages) await used.refresh();
    const running = this.#open.call(this.page, 'prompt', text, options);
    sent();
    const result = (await running.catch(withoutModel)) as TurnResult;
    this.#sessionID = result.sessionID;
    await this.#settled();
    const end = this.#folds
      .get(result.sessionID)
      ?.facts()
      .entries.findLast(({ kind }) => kind === 'end');
    const problem = end?.kind === 'end' ? end.fault : undefined;
    return result.status === 'error' && problem !== undefined ? { ...result, problem } : result;
  }

  /** Waits until all events so far were heard. Rejects if the test is not the one that was recorded, or has not answered. */
  async #settled(): Promise<void> {
    // The page's calls arrive in order, so all earlier events have been heard when this one has.
    await this.page.evaluate((name) => Reflect.get(window, name)({}), FEED);
    const problem = this.model.problem({ isOver: false });
    if (problem !== undefined) throw new Error(problem);
    this.#answers.check();
  }
}

/** The page speaks to a person who uses the app, but in a test a model that was chosen is gone for one reason only. */
function withoutModel(error: unknown): never {
  if (!messageOf(error).startsWith('no-model')) throw error;
  throw new Error(
    'The page has no model any more: a page that is loaded again loses the model and the tools of the test. ' +
      'Choose the model again, with model.script([…]) or model.use({ provider, model }).',
  );
}

/** Says which events there were; the pieces of answers, which are many, are one. */
function newest(events: readonly AgentEvent[]): string {
  if (events.length === 0) return 'There was no event at all.';
  const names = events.map(({ type, tool }) => (typeof tool === 'string' ? `${type} (${tool})` : type));
  const apart = names.filter((name, at) => name !== names[at - 1]);
  return `The last of ${events.length} events: ${apart.slice(-15).join(', ')}.`;
}
