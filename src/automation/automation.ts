import type { Fault } from '../base/fault.ts';
import { FaultError } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { Answerer } from '../permissions/types.ts';
import type { Event, ModelRef, TurnStatus } from '../session/log/events.ts';
import type { Session } from '../session/session.ts';
import type { OwnCallResult } from '../session/calls/own-call.ts';
import type { QuestionAnswerer } from '../session/calls/questions.ts';
import type { MessageRecord, SessionRecord } from '../session/log/store.ts';
import { fromRoot } from '../protocol/paths.ts';
import type { Job } from '../workspace/jobs.ts';
import { exec, WorkspaceError, type Workspace } from '../workspace/workspace.ts';
import {
  automationSettingsSchema,
  callInputSchema,
  callOptionsSchema,
  changesOptionsSchema,
  checked,
  createOptionsSchema,
  execOptionsSchema,
  forkOptionsSchema,
  jobIdSchema,
  pathSchema,
  promptOptionsSchema,
  registeredToolSchema,
  restoreOptionsSchema,
  textSchema,
  toolOptionsSchema,
  type AutomationSettings,
  type CallOptions,
  type ChangesOptions,
  type CreateOptions,
  type ExecOptions,
  type ForkOptions,
  type PromptOptions,
  type RegisteredTool,
  type RestoreOptions,
  type ToolOptions,
  type ToolToRegister,
} from './arguments.ts';
import { answerFrom, answersFrom, type PermissionHandler, type QuestionHandler } from './handlers.ts';

export type { AutomationSettings };

/**
 * `window.vitrine`, present only with `?automation=1`: tests and scripts drive the app through it. Arguments and
 * results are plain JSON and never include a key. Rejections are errors whose message says what happened, where, and
 * what to do.
 */
export interface Automation {
  readonly ready: Promise<void>;
  configure(settings: AutomationSettings): Promise<void>;
  prompt(text: string, options?: PromptOptions): Promise<{ sessionID: string; status: TurnStatus }>;
  /** Ends every turn that runs on this page, including turns that are just starting. */
  abort(): Promise<void>;
  onPermission(handler: PermissionHandler | null): void;
  onQuestion(handler: QuestionHandler | null): void;
  /** Calls `handler` with each event of the sessions that this page writes, in order, from now on. */
  onEvent(handler: EventHandler | null): void;
  readonly tools: {
    ids(): Promise<string[]>;
    list(options?: ToolOptions): Promise<{ id: string; description: string; schema: Json }[]>;
    /** Offers a tool whose code is a function of this page; it hides an earlier one of its name until the page is left. */
    register(tool: ToolToRegister): Promise<void>;
    /** Calls a tool as the agent of the session could: its rules decide, and what asks waits for an answer. */
    call(id: string, input?: unknown, options?: CallOptions): Promise<OwnCallResult>;
  };
  /**
   * Trusts what the open workspace's own files would allow right now, and returns the list. If the files change
   * later, the new contents are not trusted. Works only after `configure()` in this page load.
   */
  trust(): Promise<{ trusted: string[] }>;
  readonly workspace: {
    exec(command: string, options?: ExecOptions): Promise<{ exitCode: number; output: string }>;
    readFile(path: string): Promise<string>;
    /** Resolves when the file is in the browser's storage, so that a reload or a crash of the page does not lose it. */
    writeFile(path: string, text: string): Promise<void>;
    /** Returns the paths of files, relative to the workspace's root. */
    list(glob?: string): Promise<string[]>;
    remove(path: string): Promise<void>;
    /** Returns what commands have left in the background: what runs, and the newest that ended, oldest first. */
    jobs(): Promise<Job[]>;
    /** Asks a job to end, and soon ends it for certain. Nothing happens if it is over. */
    stopJob(id: number): Promise<void>;
    /** Returns the files that differ since the session on the page, its last turn or a message of it began. */
    changes(options?: ChangesOptions): Promise<FileChanged[]>;
  };
  readonly sessions: {
    /** `parent` is the session that started this one as a sub-agent's session. */
    list(): Promise<{ id: string; title: string; workspaceID: string; updated: number; parent?: string }[]>;
    create(options?: CreateOptions): Promise<{ sessionID: string }>;
    open(id: string): Promise<void>;
    messages(id: string): Promise<Json>;
    events(id: string): Promise<Json>;
    /** The recording of a session, as in its exported file. */
    export(id: string): Promise<Json>;
    import(recording: unknown): Promise<{ sessionID: string }>;
    /** Makes a session in a new workspace that goes on from another one after `at` events, by default after all. */
    fork(id: string, options?: ForkOptions): Promise<{ sessionID: string }>;
    /** Takes a session back to right before a message of the person, or forth again. Returns paths of files. */
    restore(id: string, options: RestoreOptions): Promise<{ changed: string[]; kept: string[] }>;
  };
}

export interface FileChanged {
  readonly path: string;
  /** The path before, if the file was renamed. */
  readonly from?: string;
  readonly kind: 'added' | 'removed' | 'renamed' | 'changed';
}

/** Gets events as plain JSON. What it returns is ignored, and what it throws is an error of the page. */
export type EventHandler = (event: Json) => unknown;

/** The parts of the app that its composition root gives to automation. */
export interface AutomationHost {
  readonly ready: Promise<void>;
  configure(settings: AutomationSettings): Promise<void>;
  /** The model that prompts go to; `undefined` until one is chosen. */
  model(): ModelRef | undefined;
  /** The session on the page; created if there is none. */
  currentSession(): Promise<Session>;
  openSession(id: string): Promise<Session>;
  createSession(files?: Readonly<Record<string, string>>): Promise<Session>;
  sessions(): Promise<readonly SessionRecord[]>;
  messages(id: string): Promise<readonly MessageRecord[]>;
  events(id: string): Promise<readonly Event[]>;
  /** The recording of a session, as in its exported file. */
  export(id: string): Promise<Json>;
  /** Returns the id of the imported session. */
  import(recording: unknown): Promise<string>;
  /** Returns the id of the new session. */
  fork(id: string, options: ForkOptions): Promise<string>;
  restore(id: string, options: RestoreOptions): Promise<{ changed: string[]; kept: string[] }>;
  changes(options: ChangesOptions): Promise<FileChanged[]>;
  currentWorkspace(): Promise<Workspace>;
  /** Trusts everything that the files of the open workspace would allow right now, and returns it in words. */
  trust(): Promise<readonly string[]>;
  /** The sessions that this page writes to. */
  liveSessions(): readonly Session[];
  /** Throws a fault if there is no such agent. */
  requireAgent(name: string): void;
  tools(options: ToolOptions): Promise<{ id: string; description: string; schema: Json }[]>;
  registerTool(tool: RegisteredTool): Promise<void>;
  setAnswerer(answerer: Answerer | null): void;
  setQuestionAnswerer(answerer: QuestionAnswerer | null): void;
  /** Listens to the events of all sessions that this page writes, also of those that it opens later. */
  onEvents(listener: (events: readonly Event[]) => void): void;
}

/** How many paths `workspace.list()` returns at most. */
const LISTED = 100_000;

/** Can be called before the app has started: every call waits for `hostPromise`. */
export function createAutomation(hostPromise: Promise<AutomationHost>): Automation {
  let configured = false;
  /** Prompts that the session has not accepted yet. */
  const starting = new Set<Promise<Session>>();
  const ready = hostPromise.then((host) => host.ready);
  let eventHandler: EventHandler | null = null;
  let listens = false;

  async function workspace(): Promise<Workspace> {
    return worded((await hostPromise).currentWorkspace());
  }

  function mustBeConfigured(call: string): void {
    if (!configured)
      throw new Error(`${call} runs without asking, so it works only after configure() in this page load.`);
  }

  /** The session with this id, or the one on the page. Rejects if there is no such agent in it. */
  async function sessionFor(sessionID: string | undefined, agent: string | undefined): Promise<Session> {
    await ready;
    const host = await hostPromise;
    if (agent !== undefined) await worded(async () => host.requireAgent(agent));
    return worded(sessionID === undefined ? host.currentSession() : host.openSession(sessionID));
  }

  async function startPrompt(text: string, options: PromptOptions): Promise<Session> {
    const { sessionID, agent } = options;
    const session = await sessionFor(sessionID, agent);
    const chosen = (await hostPromise).model();
    const model = options.model !== undefined && chosen && { ...chosen, model: options.model };
    await worded(session.prompt(text, { ...(agent !== undefined && { agent }), ...(model && { model }) }));
    return session;
  }

  async function stopAll(): Promise<void> {
    const sessions = (await hostPromise).liveSessions();
    for (const session of sessions) session.abort();
    await Promise.all(sessions.map((session) => session.rested()));
  }

  return {
    ready,
    async configure(settings) {
      const given = checked('configure()', automationSettingsSchema, settings);
      await ready;
      await worded((await hostPromise).configure(given));
      configured = true;
    },
    async prompt(text, options = {}) {
      const started = startPrompt(
        checked('The text of prompt()', textSchema, text),
        checked('The options of prompt()', promptOptionsSchema, options),
      );
      starting.add(started);
      const session = await started.finally(() => starting.delete(started));
      return { sessionID: session.id, status: await session.rested() };
    },
    async abort() {
      const late = [...starting];
      await stopAll();
      if (late.length === 0) return;
      await Promise.allSettled(late);
      await stopAll();
    },
    onPermission(handler) {
      void hostPromise.then((host) =>
        host.setAnswerer(handler && ((request) => answerFrom(handler, request))),
      );
    },
    onQuestion(handler) {
      void hostPromise.then((host) =>
        host.setQuestionAnswerer(handler && ((request) => answersFrom(handler, request))),
      );
    },
    onEvent(handler) {
      eventHandler = handler;
      if (listens) return;
      listens = true;
      void hostPromise.then((host) =>
        host.onEvents((events) => events.forEach((event) => eventHandler?.(plain(event)))),
      );
    },
    tools: {
      ids: async () => (await (await hostPromise).tools({})).map((tool) => tool.id),
      async list(options = {}) {
        const given = checked('The options of tools.list()', toolOptionsSchema, options);
        return worded((await hostPromise).tools(given));
      },
      async register(tool) {
        const given = checked('The tool of tools.register()', registeredToolSchema, tool);
        await worded((await hostPromise).registerTool(given));
      },
      async call(id, input = {}, options = {}) {
        const tool = checked('The id of tools.call()', pathSchema, id);
        const given = checked('The input of tools.call()', callInputSchema, input);
        const { sessionID, agent } = checked('The options of tools.call()', callOptionsSchema, options);
        const session = await sessionFor(sessionID, agent);
        return worded(session.call(tool, given, agent === undefined ? {} : { agent }));
      },
    },
    async trust() {
      mustBeConfigured('trust()');
      return { trusted: [...(await worded((await hostPromise).trust()))] };
    },
    workspace: {
      async exec(command, options = {}) {
        mustBeConfigured('workspace.exec()');
        const script = checked('The command of workspace.exec()', textSchema, command);
        const given = checked('The options of workspace.exec()', execOptionsSchema, options);
        const { exitCode, output } = await worded(exec(await workspace(), script, definedOf(given)));
        return { exitCode, output };
      },
      async readFile(path) {
        checked('The path of workspace.readFile()', pathSchema, path);
        const bytes = await worded((await workspace()).files.read(path));
        return new TextDecoder().decode(bytes);
      },
      async writeFile(path, text) {
        checked('The path of workspace.writeFile()', pathSchema, path);
        checked('The text of workspace.writeFile()', textSchema, text);
        const here = await workspace();
        await worded(here.files.write(path, new TextEncoder().encode(text)));
        await worded(here.durable());
      },
      async list(glob = '**') {
        checked('The glob of workspace.list()', pathSchema, glob);
        const { search } = await workspace();
        const found = await worded(search.glob({ pattern: glob, limit: LISTED, timeoutMs: 60_000 }));
        if (found.truncated || found.timedOut)
          throw new Error(`workspace.list(): there are too many files to list. Give a narrower glob.`);
        return found.paths.map(fromRoot).sort();
      },
      async remove(path) {
        checked('The path of workspace.remove()', pathSchema, path);
        await worded((await workspace()).files.remove(path, { recursive: true }));
      },
      async jobs() {
        return [...((await workspace()).jobs?.list() ?? [])];
      },
      async stopJob(id) {
        const job = checked('The id of workspace.stopJob()', jobIdSchema, id);
        const { jobs } = await workspace();
        if (jobs) await worded(jobs.stop(job));
      },
      async changes(options = {}) {
        const given = checked('The options of workspace.changes()', changesOptionsSchema, options);
        return worded((await hostPromise).changes(given));
      },
    },
    sessions: {
      async list() {
        const records = await (await hostPromise).sessions();
        return records.map(({ id, state }) => ({
          id,
          title: state.title,
          workspaceID: state.workspaceID,
          updated: state.updated,
          ...(state.parent && { parent: state.parent.sessionID }),
        }));
      },
      async create(options = {}) {
        const { files } = checked('The options of sessions.create()', createOptionsSchema, options);
        const session = await worded((await hostPromise).createSession(files));
        return { sessionID: session.id };
      },
      async open(id) {
        await worded((await hostPromise).openSession(id));
      },
      messages: async (id) => plain(await worded((await hostPromise).messages(id))),
      events: async (id) => plain(await worded((await hostPromise).events(id))),
      async export(id) {
        await ready;
        return worded((await hostPromise).export(checked('The id of sessions.export()', textSchema, id)));
      },
      async import(recording) {
        await ready;
        return { sessionID: await worded((await hostPromise).import(recording)) };
      },
      async fork(id, options = {}) {
        const given = checked('The options of sessions.fork()', forkOptionsSchema, options);
        return { sessionID: await worded((await hostPromise).fork(id, given)) };
      },
      async restore(id, options) {
        const given = checked('The options of sessions.restore()', restoreOptionsSchema, options);
        return worded((await hostPromise).restore(id, given));
      },
    },
  };
}

/** Rejections cross into page scripts as plain errors whose message holds the whole fault. */
async function worded<T>(work: Promise<T> | (() => Promise<T>)): Promise<T> {
  try {
    return await (typeof work === 'function' ? work() : work);
  } catch (error) {
    if (error instanceof FaultError) throw new Error(sentence(error.fault), { cause: error });
    if (error instanceof WorkspaceError)
      throw new Error(
        error.message.startsWith(error.code) ? error.message : `${error.code}: ${error.message}`,
        { cause: error },
      );
    throw error;
  }
}

function sentence({ code, what, where, next }: Fault): string {
  return [`${code}: ${what}`, where && `(${where})`, next].filter(Boolean).join(' ');
}

/** A copy that the script may change: records and events are JSON, and the app goes on using them. */
function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Copies `value` without the fields that are `undefined`. */
function definedOf<T extends object>(value: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Partial<
    Defined<T>
  >;
}
