import * as z from 'zod';
import type { Fault } from '../base/fault.ts';
import { FaultError } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { Answerer, PermissionRequest, Reply } from '../permissions/types.ts';
import type { Event, ModelRef, TurnStatus } from '../session/events.ts';
import type { Session } from '../session/session.ts';
import type { MessageRecord, SessionRecord } from '../session/store.ts';
import { exec, WorkspaceError, type Workspace } from '../workspace/workspace.ts';

/**
 * `window.vitrine`, there only with `?automation=1`: what a test or a script drives the app with. Plain JSON in and
 * out; never returns a key. Rejections are errors whose message says what, where and what to do.
 */
export interface Automation {
  readonly ready: Promise<void>;
  configure(settings: AutomationSettings): Promise<void>;
  prompt(text: string, options?: PromptOptions): Promise<{ sessionID: string; status: TurnStatus }>;
  abort(): Promise<void>;
  onPermission(handler: PermissionHandler | null): void;
  readonly tools: {
    ids(): Promise<string[]>;
    list(options?: {
      agent?: string;
      model?: string;
    }): Promise<{ id: string; description: string; schema: Json }[]>;
  };
  readonly workspace: {
    exec(command: string, options?: ExecOptions): Promise<{ exitCode: number; output: string }>;
    readFile(path: string): Promise<string>;
    writeFile(path: string, text: string): Promise<void>;
    list(glob?: string): Promise<string[]>;
    remove(path: string): Promise<void>;
  };
  readonly sessions: {
    list(): Promise<{ id: string; title: string; workspaceID: string; updated: number }[]>;
    create(options?: { files?: Record<string, string> }): Promise<{ sessionID: string }>;
    open(id: string): Promise<void>;
    messages(id: string): Promise<Json>;
    events(id: string): Promise<Json>;
  };
}

export const automationSettingsSchema = z.strictObject({
  provider: z.string(),
  model: z.string(),
  baseURL: z.string().optional(),
  apiKey: z.string().optional(),
  /** A script for `provider: "scripted"`. */
  script: z.unknown().optional(),
  /** In the shape of opencode.json's `permission`. */
  permission: z.unknown().optional(),
});
export type AutomationSettings = z.infer<typeof automationSettingsSchema>;

export interface PromptOptions {
  readonly sessionID?: string;
  readonly agent?: string;
  readonly model?: string;
}

export interface ExecOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  readonly timeoutMs?: number;
}

/** `once`, `session`, `always`, `reject`, or a refusal with a message; anything else leaves it to the person. */
export type PermissionHandler = (request: PermissionRequest) => unknown;

/** What the composition root lends to automation. */
export interface AutomationHost {
  readonly ready: Promise<void>;
  configure(settings: AutomationSettings): Promise<ModelRef>;
  /** The session on the page; made where there is none. */
  currentSession(): Promise<Session>;
  openSession(id: string): Promise<Session>;
  createSession(files?: Readonly<Record<string, string>>): Promise<Session>;
  sessions(): Promise<readonly SessionRecord[]>;
  messages(id: string): Promise<readonly MessageRecord[]>;
  events(id: string): Promise<readonly Event[]>;
  currentWorkspace(): Promise<Workspace>;
  tools(options: {
    agent?: string;
    model?: string;
  }): Promise<{ id: string; description: string; schema: Json }[]>;
  setAnswerer(answerer: Answerer | null): void;
}

const handlerAnswerSchema = z.union([
  z.enum(['once', 'session', 'always', 'reject']),
  z.strictObject({ reject: z.string() }),
]);

/** Works before the app does: every call waits for `lent`. */
export function createAutomation(lent: Promise<AutomationHost>): Automation {
  let configured: ModelRef | undefined;
  let running: Session | undefined;
  const ready = lent.then((host) => host.ready);

  async function workspace(): Promise<Workspace> {
    return worded((await lent).currentWorkspace());
  }

  function requireConfigured(what: string): ModelRef {
    if (!configured)
      throw new Error(`${what} asks nobody, so it works only after configure() in this page load.`);
    return configured;
  }

  return {
    ready,
    async configure(settings) {
      const parsed = automationSettingsSchema.safeParse(settings);
      if (!parsed.success) throw new Error(`configure(): ${z.prettifyError(parsed.error)}`);
      await ready;
      configured = await worded((await lent).configure(parsed.data));
    },
    async prompt(text, options = {}) {
      await ready;
      const host = await lent;
      const session = await worded(
        options.sessionID ? host.openSession(options.sessionID) : host.currentSession(),
      );
      running = session;
      const model = options.model && configured && { ...configured, model: options.model };
      await worded(
        session.prompt(text, { ...(options.agent && { agent: options.agent }), ...(model && { model }) }),
      );
      return { sessionID: session.id, status: await session.rested() };
    },
    async abort() {
      running?.abort();
      await running?.rested();
    },
    onPermission(handler) {
      void lent.then((host) => host.setAnswerer(handler && ((request) => answerFrom(handler, request))));
    },
    tools: {
      ids: async () => (await (await lent).tools({})).map((tool) => tool.id),
      list: async (options = {}) => (await lent).tools(options),
    },
    workspace: {
      async exec(command, options = {}) {
        requireConfigured('workspace.exec()');
        const { exitCode, output } = await exec(await workspace(), command, options);
        return { exitCode, output };
      },
      async readFile(path) {
        const bytes = await worded((await workspace()).files.read(path));
        return new TextDecoder().decode(bytes);
      },
      async writeFile(path, text) {
        const { files } = await workspace();
        await worded(files.write(path, new TextEncoder().encode(text)));
      },
      async list(glob = '**') {
        const { search } = await workspace();
        const found = await worded(search.glob({ pattern: glob, limit: 100_000, timeoutMs: 60_000 }));
        return [...found.paths].sort();
      },
      async remove(path) {
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
        }));
      },
      async create({ files } = {}) {
        const session = await worded((await lent).createSession(files));
        return { sessionID: session.id };
      },
      async open(id) {
        await worded((await lent).openSession(id));
      },
      messages: async (id) => plain(await worded((await lent).messages(id))),
      events: async (id) => plain(await worded((await lent).events(id))),
    },
  };
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
      return { reply: parsed.data, patterns: [...request.always] };
  }
}

/** Rejections cross into page scripts as plain errors whose message holds the whole fault. */
async function worded<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof FaultError) throw new Error(sentence(error.fault), { cause: error });
    if (error instanceof WorkspaceError)
      throw new Error(`${error.code}: ${error.path}: ${error.message}`, { cause: error });
    throw error;
  }
}

function sentence({ code, what, where, next }: Fault): string {
  return [`${code}: ${what}`, where && `(${where})`, next].filter(Boolean).join(' ');
}

function plain(value: unknown): Json {
  return z.json().parse(JSON.parse(JSON.stringify(value)));
}
