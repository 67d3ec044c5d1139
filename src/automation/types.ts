import type { Json } from '../base/json.ts';
import type { Answerer } from '../permissions/types.ts';
import type { OwnCallResult } from '../session/calls/own-call.ts';
import type { QuestionAnswerer } from '../session/calls/questions.ts';
import type { Event, ModelRef, TurnStatus } from '../session/log/events.ts';
import type { MessageRecord, SessionRecord } from '../session/log/store.ts';
import type { Session } from '../session/session.ts';
import type { Job } from '../workspace/jobs.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type {
  AutomationSettings,
  CallOptions,
  ChangesOptions,
  CreateOptions,
  ExecOptions,
  ForkOptions,
  PromptOptions,
  RegisteredTool,
  RestoreOptions,
  ToolOptions,
  ToolToRegister,
  FileContent,
} from './arguments.ts';
import type { PermissionHandler, QuestionHandler } from './handlers.ts';

/**
 * `window.vitrine`, present only with `?automation=1`: tests and scripts drive the app through it. Arguments and
 * results are plain JSON and never include a key. Rejections are errors whose message says what happened, where, and
 * what to do.
 */
export interface Automation {
  readonly ready: Promise<void>;
  configure(settings: AutomationSettings): Promise<void>;
  prompt(text: string, options?: PromptOptions): Promise<{ sessionID: string; status: TurnStatus }>;
  /** The steps of the script of `configure()` that no request has got yet, counted from 1; `null` if there is no script. */
  unplayed(): Promise<{ turn: number; step: number }[] | null>;
  /** Ends every turn that runs on this page, including turns that are just starting. */
  abort(): Promise<void>;
  onPermission(handler: PermissionHandler | null): void;
  onQuestion(handler: QuestionHandler | null): void;
  /** Calls `handler` with each event of the sessions that this page writes, in order, from now on. */
  onEvent(handler: EventHandler | null): void;
  readonly tools: {
    ids(): Promise<string[]>;
    list(options?: ToolOptions): Promise<{ id: string; description: string; schema: Json }[]>;
    /** The ids of the tools that `list` leaves out because a rule denies them for everything. */
    denied(options?: ToolOptions): Promise<string[]>;
    /**
     * Offers a tool whose code is a function of this page; it hides an earlier one of its name until the page is left, or
     * the returned function is called.
     */
    register(tool: ToolToRegister): Promise<() => void>;
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
    writeFile(path: string, content: FileContent): Promise<void>;
    /** Returns the paths of files, relative to the workspace's root. */
    list(glob?: string): Promise<string[]>;
    remove(path: string): Promise<void>;
    /** Returns what commands have left in the background: what runs, and the newest that ended, oldest first. */
    jobs(): Promise<Job[]>;
    /** Asks a job to end, and soon ends it for certain. Nothing happens if it is over. Rejects if there never was one. */
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
  unplayed(): Promise<{ turn: number; step: number }[] | null>;
  /** The model that prompts go to; `undefined` until one is chosen. */
  model(): ModelRef | undefined;
  /** The session on the page; created if there is none. */
  currentSession(): Promise<Session>;
  openSession(id: string): Promise<Session>;
  createSession(files?: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>): Promise<Session>;
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
  /** Rejects with a fault if the provider has no such model, as far as that is known without asking it. */
  requireModel(model: ModelRef): Promise<void>;
  tools(options: ToolOptions): Promise<{
    readonly offered: { id: string; description: string; schema: Json }[];
    readonly denied: string[];
  }>;
  /** Returns a function that takes the tool back. */
  registerTool(tool: RegisteredTool): Promise<() => void>;
  setAnswerer(answerer: Answerer | null): void;
  setQuestionAnswerer(answerer: QuestionAnswerer | null): void;
  /** Listens to the events of all sessions that this page writes, also of those that it opens later. */
  onEvents(listener: (events: readonly Event[]) => void): void;
}
