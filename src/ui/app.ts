import type { Fault } from '../base/fault.ts';
import type { Hash } from '../base/hash.ts';
import type { Unlisten } from '../base/listeners.ts';
import type { Configuration } from '../config/setup.ts';
import type { ServerState } from '../extensions/mcp/servers.ts';
import type { Mode } from '../permissions/modes.ts';
import type { Action, AnsweredBy, Reply, SavedRule } from '../permissions/types.ts';
import type { YouAnswer, YouRequest } from '../models/you/desk.ts';
import type { Lesson, LessonCard, LessonSource } from '../lessons/lesson.ts';
import type { LessonRun } from '../lessons/run.ts';
import type { Audit } from '../session/audit.ts';
import type { Effort } from '../session/effort.ts';
import type { Inspection } from '../session/inspect/inspection.ts';
import type { Event, ModelRef } from '../session/events.ts';
import type { ComparedFile } from '../session/compare/summary.ts';
import type { CallDifference } from '../session/recording/differences.ts';
import type { Recording } from '../session/recording/recording.ts';
import type { SessionState } from '../session/state.ts';
import type { Stepper } from '../session/stepping/stepper.ts';
import type { SearchHit, SessionRecord } from '../session/store.ts';
import type { SearchService } from '../tools/websearch/service.ts';
import type { ToolMetrics } from '../tools/log/metrics.ts';
import type { ToolRecord } from '../tools/log/tool-log.ts';
import type { Answers } from '../tools/question/schema.ts';
import type { Workspace, WorkspaceKind } from '../workspace/workspace.ts';

/**
 * Everything the page needs from the composition root, and nothing else: plain objects, listeners and promises, no
 * Svelte. What can fail rejects with a `FaultError`. Listeners are told that something changed; they read it anew.
 */
export interface App {
  readonly sessions: AppSessions;
  readonly workspaces: AppWorkspaces;
  readonly models: AppModels;
  readonly permissions: AppPermissions;
  readonly configurations: AppConfigurations;
  readonly secrets: AppSecrets;
  readonly servers: AppToolServers;
  readonly containers: AppContainers;
  readonly web: AppWeb;
  readonly hosts: AppHosts;
  readonly conversations: AppConversations;
  readonly tools: AppTools;
  readonly log: AppLog;
  readonly you: AppYou;
  readonly storage: AppStorage;
  /** Fetched when it is reached for. */
  recordings(): Promise<AppRecordings>;
  /** Fetched with the first call. */
  lessons(): Promise<AppLessons>;
  /** What `lessons()` says of a session's model, without fetching them where none was ever begun. */
  lessonModel(sessionID: string): Promise<ModelRef | null>;
  /** Runs one prompt twice; resolves when both have begun. Rejects with a fault, and then nothing of it is left. */
  compare(request: CompareRequest): Promise<Comparison>;
  /** Makes a workspace with the demo's project and a session whose scripted turn is under way. */
  startDemo(ready: Ready): Promise<SessionHandle>;
  /** Makes a workspace and a session in which the person is the model, with a first message to answer. */
  startYou(ready: Ready): Promise<SessionHandle>;
  /** The text without any key that this page has seen. */
  redact(text: string): string;
  /** Content by hash: full outputs, attachments. */
  blob(hash: Hash): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** Awaited once the session is there, before anything happens in it. */
export type Ready = (session: SessionHandle) => Promise<void>;

/** A log that is no session of this device. */
export interface RecordedLog {
  readonly recordedID: string;
  readonly session: { readonly events: readonly Event[] };
  content(hash: Hash): Uint8Array<ArrayBuffer> | undefined;
}

export interface AppSessions {
  list(): Promise<readonly SessionRecord[]>;
  /** Sessions held open in this tab: where a turn may be running or waiting. */
  live(): readonly SessionHandle[];
  create(options: { readonly workspaceID: string; readonly title?: string }): Promise<SessionHandle>;
  /** The same handle while the session is held open. */
  open(id: string): Promise<SessionHandle>;
  delete(id: string): Promise<void>;
  restore(id: string): Promise<void>;
  search(query: string): Promise<readonly SearchHit[]>;
  /** What was decided about the calls of a session; nothing is read yet. */
  audit(id: string): Promise<Audit>;
  /** The log of a session, or one that was recorded, opened to be looked through; whoever opens it closes it. */
  inspect(id: string, recorded?: RecordedLog | null): Promise<Inspection>;
  /** What holds a session of this tab, and those that work for it, before what they do next. */
  stepper(id: string): Promise<Stepper>;
  /** The list, `live()`, or a session's `writable` changed. */
  onChange(listener: () => void): Unlisten;
}

/** A session as the page uses it. `Session` and, in a tab that only follows, `SessionFollower` fit. */
export interface SessionHandle {
  readonly id: string;
  readonly state: SessionState;
  readonly writable: boolean;
  readonly oldestLoaded: boolean;
  onEvents(listener: (events: readonly Event[]) => void): Unlisten;
  prompt(text: string, options?: { readonly agent?: string; readonly model?: ModelRef }): Promise<void>;
  abort(): void;
  /** `null` dismisses the question, which ends the turn. */
  answerQuestion(requestID: string, answers: Answers | null, by: AnsweredBy): void;
  /** The conversation is summed up: at once, or before the next step of the turn that runs. */
  compact(model?: ModelRef): void;
  /**
   * What was asked, done and changed, written by the session's model: Markdown, told to `onText` as it grows;
   * `undefined` where `signal` was aborted.
   */
  summarize(signal: AbortSignal, onText?: (text: string) => void): Promise<string | undefined>;
  /** The failed step that waits to be tried again is tried now. */
  retryNow(): void;
  /** Models are told this message as it is again, whatever the person made of it at a pause. */
  tellAsItIs(messageID: string): Promise<void>;
  /** This agent is told its own system prompt again, whatever the person wrote in its place at a pause. */
  tellOwnSystem(agent: string): Promise<void>;
  answer(requestID: string, reply: Reply, by: AnsweredBy): void;
  /** How much it asks, from now on and for what waits. */
  setMode(mode: Mode): Promise<void>;
  /** Whom the next prompts go to. */
  chooseAgent(name: string): Promise<void>;
  /** How much models think from the next step on; `null`: as much as they do unasked. */
  chooseEffort(effort: Effort | null): Promise<void>;
  rename(title: string): Promise<void>;
  keep(keep: boolean): Promise<void>;
  loadOlder(limit?: number): Promise<boolean>;
}

export interface AppWorkspaces {
  list(): Promise<readonly WorkspaceSummary[]>;
  /** `auto`: embedded, until a container can take over before anything was changed. Default: what the address asks for. */
  create(options?: {
    readonly name?: string;
    readonly kind?: WorkspaceKind | 'auto';
  }): Promise<WorkspaceSummary>;
  rename(id: string, name: string): Promise<void>;
  delete(id: string): Promise<void>;
  restore(id: string): Promise<void>;
  /** The running workspace: its files, processes and status. */
  open(id: string): Promise<Workspace>;
  /** This tab becomes the writer; resolves once sessions of this workspace are writable here. */
  takeOver(id: string): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

export interface WorkspaceSummary {
  readonly id: string;
  readonly name: string;
  readonly kind: WorkspaceKind;
  /** Milliseconds since the epoch. */
  readonly updated: number;
}

/** WebContainers: whether they may be had, and what came of it for a workspace. */
export interface AppContainers {
  choice(): { readonly allowed: boolean; readonly key: string };
  choose(change: { readonly allowed?: boolean; readonly key?: string }): Promise<void>;
  news(workspaceID: string): ContainerNews | null;
  /** Tries once more for a workspace that went on as the embedded one. */
  retry(workspaceID: string): Promise<void>;
  /** True: this workspace has the container now. False: it was changed meanwhile; a new one can have it. */
  accept(workspaceID: string): Promise<boolean>;
  dismiss(workspaceID: string): void;
  /** For a workspace whose container did not start; rejects with a fault once something was changed in it. */
  useEmbedded(workspaceID: string): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

export type ContainerNews =
  | { readonly state: 'trying' }
  /** `quiet`: said at the status only. */
  | { readonly state: 'unavailable'; readonly fault: Fault; readonly quiet: boolean }
  | { readonly state: 'offered' };

export interface AppModels {
  readonly providers: readonly ProviderInfo[];
  /** What prompts go to; `null` until one is chosen. */
  choice(): ModelChoice | null;
  /** Whether prompts can go to this provider: it has what it needs of a key and an address. */
  isSetUp(provider: string): boolean;
  /** How much a model can be asked to think, from the least on. */
  efforts(model: ModelChoice): readonly Effort[];
  /** `key`: absent leaves the stored one as it is. */
  choose(choice: ModelChoice, key?: KeyChange): Promise<void>;
  /** The address that was given for this provider, if one was. */
  baseURLOf(provider: string): string | undefined;
  /** Where a key for this provider at this address is kept. */
  keyOf(provider: string, baseURL?: string): 'none' | 'tab' | 'device';
  forgetKey(provider: string, baseURL?: string): Promise<void>;
  /** Models the provider offers. */
  list(draft: ModelDraft): Promise<readonly ModelOption[]>;
  /** One small request; resolves when the model answered. */
  test(draft: ModelDraft): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

export interface ProviderInfo {
  readonly id: string;
  readonly name: string;
  readonly key: 'required' | 'optional' | 'none';
  /** Addresses to choose from, the first prefilled; none where the provider's own is used unless another is given. */
  readonly addresses: readonly { readonly name: string; readonly baseURL: string }[];
  /** The page on which a person gets a key. */
  readonly keysAt?: string;
}

export interface ModelChoice {
  readonly provider: string;
  readonly baseURL?: string;
  readonly model: string;
}

/** Settings being edited: `apiKey` absent means the stored one. */
export interface ModelDraft extends ModelChoice {
  readonly apiKey?: string;
}

export interface KeyChange {
  /** Absent: the stored one, which is only kept elsewhere. */
  readonly value?: string;
  /** Keep it on this device; otherwise it lives as long as this tab. */
  readonly remember: boolean;
}

export interface ModelOption {
  readonly id: string;
  readonly name?: string;
  /** Tokens. */
  readonly contextLimit?: number;
}

export interface AppPermissions {
  /** What settings say per tool; a tool with its own patterns in the configuration is `custom` and left as it is. */
  tools(): readonly ToolPermission[];
  set(permission: string, action: Action): Promise<void>;
  /** Saved answers: those of the workspace, then those for all of them. */
  rules(workspaceID: string | null): Promise<readonly SavedRule[]>;
  revoke(id: string): Promise<void>;
  /** The saved rules of a workspace, and those for all, as JSON. */
  exportRules(workspaceID: string | null): Promise<string>;
  /** Saves all rules of an exported file for a workspace, or none; how many they are. */
  importRules(workspaceID: string, json: string): Promise<number>;
  onChange(listener: () => void): Unlisten;
}

export interface ToolPermission {
  readonly permission: string;
  readonly action: Action | 'custom';
}

/** Values that configuration and custom tools name and never see. */
export interface AppSecrets {
  names(): readonly string[];
  kept(name: string): 'none' | 'tab' | 'device';
  set(name: string, change: KeyChange): Promise<void>;
  forget(name: string): Promise<void>;
  /** Hosts that wanted one where nobody could be asked. */
  asked(): readonly { readonly name: string; readonly host: string }[];
  allow(name: string, host: string): Promise<void>;
  dismiss(name: string, host: string): void;
  onChange(listener: () => void): Unlisten;
}

/** What configuration files say, those of workspaces and the person's own. */
export interface AppConfigurations {
  /** As it was read last; `null` where it was not read yet. */
  of(workspaceID: string): Configuration | null;
  /** Reads what changed, in a workspace that this tab writes. */
  refresh(workspaceID: string): Promise<unknown>;
  /** Whether the person has said if they trust what the workspace's files would allow; also where these allow nothing. */
  isAnswered(workspaceID: string): boolean;
  /** `hash`: of the grants that the person saw. */
  answer(workspaceID: string, hash: string, trusted: boolean): Promise<void>;
  /** Texts by path below `~/.config/opencode`. */
  ownFiles(): Readonly<Record<string, string>>;
  /** `null`: it is removed. */
  setOwnFile(path: string, text: string | null): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

/** Servers that bring tools, as the configuration names them. */
export interface AppToolServers {
  /** Those of this workspace. */
  list(workspaceID: string | null): readonly ToolServer[];
  /** Writes one into the person's own configuration. Rejects with a fault. */
  add(server: { readonly name: string; readonly url: string; readonly clientId?: string }): Promise<void>;
  remove(name: string): Promise<void>;
  connect(name: string): void;
  signOut(name: string): Promise<void>;
  /** Whether what signing in brought is kept on this device, else in this tab. */
  setRemembered(name: string, remembered: boolean): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

export interface ToolServer {
  readonly name: string;
  /** Its address, or the program. */
  readonly where: string;
  readonly state: ServerState;
  /** It stands in the person's own opencode.json, from where it can be removed. */
  readonly removable: boolean;
  readonly signedIn: boolean;
  readonly remembered: boolean;
}

/** What the model is asked to do for a conversation beside answering in it. */
export interface AppConversations {
  current(): ConversationHelp;
  set(change: Partial<ConversationHelp>): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

export interface ConversationHelp {
  /** New sessions are named by their model. */
  readonly titles: boolean;
  /** Where the context is full, old outputs are taken out and the conversation is summed up. */
  readonly summaries: boolean;
}

/** How the agent fetches pages of the web, and searches it. */
export interface AppWeb {
  /** An address with `{url}` in it; `undefined`: pages are fetched directly. */
  proxy(): string | undefined;
  /** Empty: none. Rejects with a fault where it is no such address. */
  setProxy(text: string): Promise<void>;
  /** Where the key of a search service is kept. */
  searchKey(service: SearchService): 'none' | 'tab' | 'device';
  setSearchKey(service: SearchService, key: KeyChange): Promise<void>;
  forgetSearchKey(service: SearchService): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

/** Hosts outside that programs of embedded workspaces may reach. */
export interface AppHosts {
  hosts(): Promise<readonly string[]>;
  /** One a line. Answers what is kept of it; rejects with a fault that names the line, and then keeps what was. */
  setHosts(lines: string): Promise<readonly string[]>;
}

/** Tools that the person can switch on and off. */
export interface AppTools {
  switches(): readonly ToolSwitch[];
  setSwitch(name: string, on: boolean): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

export interface ToolSwitch {
  readonly name: string;
  readonly on: boolean;
}

/** What the agent's tools did since the page was opened. */
export interface AppLog {
  open(): Promise<AppToolLog>;
}

export interface AppToolLog {
  /** Oldest first; the same list until something is added. */
  records(): readonly ToolRecord[];
  metrics(): readonly ToolMetrics[];
  clear(): void;
  onChange(listener: () => void): Unlisten;
}

/** Sessions as files that can be played again. */
export interface AppRecordings {
  /** The session and its sub-agents', as they stand; without the secrets that this page knows. */
  record(sessionID: string): Promise<Recording>;
  /** Makes a workspace with the files it began with, and its sessions in there; the id of the one that was recorded. */
  import(recording: Recording): Promise<string>;
  /** Over https or from the app's own origin, without credentials. */
  fetch(address: string): Promise<Recording>;
  /** In a new workspace with the files it began with: the recorded model answers, the tools really run and ask. */
  run(recording: Recording): Promise<RecordingRun>;
}

/** One prompt for two sides, each in its own copy of a workspace as it is then. */
export interface CompareRequest {
  readonly workspaceID: string;
  /** Of the copies, with a letter each. */
  readonly name: string;
  readonly prompt: string;
  readonly sides: readonly [CompareSide, CompareSide];
}

export interface CompareSide {
  readonly model: ModelRef;
  readonly agent: string;
  /** `null`: as much as the model does unasked. */
  readonly effort: Effort | null;
  readonly mode: Mode;
}

export interface Comparison {
  readonly request: CompareRequest;
  readonly sessions: readonly [SessionHandle, SessionHandle];
  /** As they are now. */
  files(): Promise<readonly ComparedFile[]>;
  /** What both sides had at a path when {@link files} was read last; `null` where nothing was. */
  texts(path: string): readonly [string | null, string | null];
}

/** A recording that is run for real, and how that compares. */
export interface RecordingRun {
  readonly sessionID: string;
  /** How many times as fast as it was the model answers. */
  readonly speed: number;
  setSpeed(speed: number): void;
  /** Nothing more is said until it goes on; what already runs comes to its end. */
  readonly paused: boolean;
  setPaused(paused: boolean): void;
  /** Nothing more of the recording is to come. */
  readonly over: boolean;
  differences(): readonly CallDifference[];
  onChange(listener: () => void): Unlisten;
}

/** Where the person answers in the model's place. */
export interface AppYou {
  /** Oldest first. */
  waiting(): readonly YouRequest[];
  answer(id: string, answer: YouAnswer): void;
  /** What the model is going to be told of these arguments; `null` where they fit. */
  problem(request: YouRequest, tool: string, args: string): Promise<string | null>;
  onChange(listener: () => void): Unlisten;
}

export interface AppStorage {
  /** False: the session goes on in memory and is lost with the tab. */
  readonly persistent: boolean;
  /** What is wrong with storage now, to be told until it is mended. */
  readonly problem: Fault | null;
  /** Bytes; `null` where the browser does not tell. */
  usage(): Promise<{ readonly used: number; readonly quota: number } | null>;
  onChange(listener: () => void): Unlisten;
}

/** Lessons that come with the app, and the person's own. */
export interface AppLessons {
  list(): readonly LessonEntry[];
  load(id: string): Promise<Lesson>;
  source(id: string): Promise<LessonSource>;
  /** Keeps one of the person's own, under its id or a new one, which it resolves to. */
  save(source: LessonSource, id?: string): Promise<string>;
  remove(id: string): Promise<void>;
  /** Goes on with it where the learner left, or begins: with a workspace and a session of its own. */
  open(id: string): Promise<OpenLesson>;
  /** Begins anew; what was made for it before is removed, as a workspace is. */
  restart(id: string): Promise<OpenLesson>;
  /** What the prompts of a session go to that was made for a lesson; `null` for any other. */
  modelOf(sessionID: string): Promise<ModelRef | null>;
  onChange(listener: () => void): Unlisten;
}

export interface LessonEntry extends LessonCard {
  readonly id: string;
  readonly own: boolean;
  /** Index of the step that the learner is at; `null` where it was not begun. */
  readonly step: number | null;
  /** How many there are. */
  readonly steps: number;
}

export interface OpenLesson {
  readonly id: string;
  readonly run: LessonRun;
  readonly session: SessionHandle;
  /** What the prompts of its session go to. */
  readonly model: ModelRef;
  close(): void;
}
