import * as z from 'zod';
import type { Fault } from '../base/fault.ts';
import { FaultError } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { Answerer, PermissionRequest, Reply } from '../permissions/types.ts';
import type { Event, ModelRef, TurnStatus } from '../session/events.ts';
import type { Session } from '../session/session.ts';
import type { QuestionAnswerer } from '../session/questions.ts';
import type { MessageRecord, SessionRecord } from '../session/store.ts';
import { fromRoot } from '../workspace/paths.ts';
import type { Answers, QuestionRequest } from '../tools/question/schema.ts';
import { exec, WorkspaceError, type Workspace } from '../workspace/workspace.ts';
import {
  automationSettingsSchema,
  checked,
  createOptionsSchema,
  execOptionsSchema,
  pathSchema,
  promptOptionsSchema,
  textSchema,
  toolOptionsSchema,
  type AutomationSettings,
  type CreateOptions,
  type ExecOptions,
  type PromptOptions,
  type ToolOptions,
} from './arguments.ts';

export type { AutomationSettings };

/**
 * `window.vitrine`, there only with `?automation=1`: what a test or a script drives the app with. Plain JSON in and
 * out; never returns a key. Rejections are errors whose message says what, where and what to do.
 */
export interface Automation {
  readonly ready: Promise<void>;
  configure(settings: AutomationSettings): Promise<void>;
  prompt(text: string, options?: PromptOptions): Promise<{ sessionID: string; status: TurnStatus }>;
  /** Ends every turn that runs on this page, those that are just being started too. */
  abort(): Promise<void>;
  onPermission(handler: PermissionHandler | null): void;
  onQuestion(handler: QuestionHandler | null): void;
  readonly tools: {
    ids(): Promise<string[]>;
    list(options?: ToolOptions): Promise<{ id: string; description: string; schema: Json }[]>;
  };
  readonly workspace: {
    exec(command: string, options?: ExecOptions): Promise<{ exitCode: number; output: string }>;
    readFile(path: string): Promise<string>;
    writeFile(path: string, text: string): Promise<void>;
    /** Paths of files, relative to the workspace's root. */
    list(glob?: string): Promise<string[]>;
    remove(path: string): Promise<void>;
  };
  readonly sessions: {
    /** `parent`: the session that a sub-agent's session works for. */
    list(): Promise<{ id: string; title: string; workspaceID: string; updated: number; parent?: string }[]>;
    create(options?: CreateOptions): Promise<{ sessionID: string }>;
    open(id: string): Promise<void>;
    messages(id: string): Promise<Json>;
    events(id: string): Promise<Json>;
    /** The recording of a session, as in its file. */
    export(id: string): Promise<Json>;
    import(recording: unknown): Promise<{ sessionID: string }>;
  };
}

/**
 * `once`, `session`, `always`, `everywhere`, `reject`, or a refusal with a message; `undefined` leaves it to the person. Anything
 * else refuses.
 */
export type PermissionHandler = (request: PermissionRequest) => unknown;

/**
 * The answers: one list a question, or less where it is clear (a text or a list for one question, a text each for
 * several). `null` dismisses, `undefined` leaves it to the person; anything else dismisses.
 */
export type QuestionHandler = (request: QuestionRequest) => unknown;

/** What the composition root lends to automation. */
export interface AutomationHost {
  readonly ready: Promise<void>;
  configure(settings: AutomationSettings): Promise<void>;
  /** What prompts go to; `undefined` until one is chosen. */
  model(): ModelRef | undefined;
  /** The session on the page; made where there is none. */
  currentSession(): Promise<Session>;
  openSession(id: string): Promise<Session>;
  createSession(files?: Readonly<Record<string, string>>): Promise<Session>;
  sessions(): Promise<readonly SessionRecord[]>;
  messages(id: string): Promise<readonly MessageRecord[]>;
  events(id: string): Promise<readonly Event[]>;
  /** The recording of a session, as in its file. */
  export(id: string): Promise<Json>;
  /** The id of the session that comes of it. */
  import(recording: unknown): Promise<string>;
  currentWorkspace(): Promise<Workspace>;
  /** Those that this page writes. */
  liveSessions(): readonly Session[];
  /** Throws a fault where there is no such agent. */
  requireAgent(name: string): void;
  tools(options: ToolOptions): Promise<{ id: string; description: string; schema: Json }[]>;
  setAnswerer(answerer: Answerer | null): void;
  setQuestionAnswerer(answerer: QuestionAnswerer | null): void;
}

/** Most paths that are listed at once. */
const LISTED = 100_000;

const handlerAnswerSchema = z.union([
  z.enum(['once', 'session', 'always', 'everywhere', 'reject']),
  z.strictObject({ reject: z.string() }),
]);

const givenAnswersSchema = z.union([z.string(), z.array(z.union([z.string(), z.array(z.string())]))]);

/** Works before the app does: every call waits for `lent`. */
export function createAutomation(lent: Promise<AutomationHost>): Automation {
  let configured = false;
  /** Prompts that are not accepted yet. */
  const starting = new Set<Promise<Session>>();
  const ready = lent.then((host) => host.ready);

  async function workspace(): Promise<Workspace> {
    return worded((await lent).currentWorkspace());
  }

  async function startPrompt(text: string, options: PromptOptions): Promise<Session> {
    await ready;
    const host = await lent;
    const { sessionID, agent } = options;
    if (agent !== undefined) await worded(async () => host.requireAgent(agent));
    const session = await worded(
      sessionID === undefined ? host.currentSession() : host.openSession(sessionID),
    );
    const chosen = host.model();
    const model = options.model !== undefined && chosen && { ...chosen, model: options.model };
    await worded(session.prompt(text, { ...(agent !== undefined && { agent }), ...(model && { model }) }));
    return session;
  }

  async function stopAll(): Promise<void> {
    const sessions = (await lent).liveSessions();
    for (const session of sessions) session.abort();
    await Promise.all(sessions.map((session) => session.rested()));
  }

  return {
    ready,
    async configure(settings) {
      const given = checked('configure()', automationSettingsSchema, settings);
      await ready;
      await worded((await lent).configure(given));
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
      if (handler !== null && typeof handler !== 'function')
        throw new Error('onPermission() takes a function, or null.');
      void lent.then((host) => host.setAnswerer(handler && ((request) => answerFrom(handler, request))));
    },
    onQuestion(handler) {
      void lent.then((host) =>
        host.setQuestionAnswerer(handler && ((request) => answersFrom(handler, request))),
      );
    },
    tools: {
      ids: async () => (await (await lent).tools({})).map((tool) => tool.id),
      async list(options = {}) {
        const given = checked('The options of tools.list()', toolOptionsSchema, options);
        return worded((await lent).tools(given));
      },
    },
    workspace: {
      async exec(command, options = {}) {
        if (!configured)
          throw new Error(
            'workspace.exec() asks nobody, so it works only after configure() in this page load.',
          );
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
        const { files } = await workspace();
        await worded(files.write(path, new TextEncoder().encode(text)));
      },
      async list(glob = '**') {
        checked('The glob of workspace.list()', pathSchema, glob);
        const { search } = await workspace();
        const found = await worded(search.glob({ pattern: glob, limit: LISTED, timeoutMs: 60_000 }));
        if (found.truncated || found.timedOut)
          throw new Error(`workspace.list(): there is more than can be listed. Give a narrower glob.`);
        return found.paths.map(fromRoot).sort();
      },
      async remove(path) {
        checked('The path of workspace.remove()', pathSchema, path);
        await worded((await workspace()).files.remove(path, { recursive: true }));
      },
    },
    sessions: {
      async list() {
        const records = await (await lent).sessions();
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
        const session = await worded((await lent).createSession(files));
        return { sessionID: session.id };
      },
      async open(id) {
        await worded((await lent).openSession(id));
      },
      messages: async (id) => plain(await worded((await lent).messages(id))),
      events: async (id) => plain(await worded((await lent).events(id))),
      async export(id) {
        await ready;
        return worded((await lent).export(checked('The id of sessions.export()', textSchema, id)));
      },
      async import(recording) {
        await ready;
        return { sessionID: await worded((await lent).import(recording)) };
      },
    },
  };
}

async function answersFrom(
  handler: QuestionHandler,
  request: QuestionRequest,
): Promise<Answers | null | undefined> {
  const given: unknown = await handler(request);
  if (given === undefined) return undefined;
  const parsed = givenAnswersSchema.safeParse(given);
  if (!parsed.success) return null;
  const { data } = parsed;
  if (typeof data === 'string') return [[data]];
  if (request.questions.length === 1 && data.every((one) => typeof one === 'string')) return [data];
  return data.map((one) => (typeof one === 'string' ? [one] : one));
}

async function answerFrom(
  handler: PermissionHandler,
  request: PermissionRequest,
): Promise<Reply | undefined> {
  const answer: unknown = await handler(request);
  if (answer === undefined || answer === null) return undefined;
  const parsed = handlerAnswerSchema.safeParse(answer);
  // A handler that answers nonsense must not let anything through.
  if (!parsed.success)
    return { reply: 'reject', message: 'The permission handler gave an answer that is not one.' };
  if (typeof parsed.data === 'object') return { reply: 'reject', message: parsed.data.reject };
  switch (parsed.data) {
    case 'once':
      return { reply: 'once' };
    case 'reject':
      return { reply: 'reject' };
    case 'session':
    case 'always':
    case 'everywhere':
      return { reply: parsed.data, patterns: [...request.always] };
  }
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

function plain(value: unknown): Json {
  return z.json().parse(JSON.parse(JSON.stringify(value)));
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Without the fields that are there but `undefined`. */
function definedOf<T extends object>(value: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Partial<
    Defined<T>
  >;
}
