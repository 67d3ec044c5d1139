import type { WorkspaceLanguage } from '../language/language.ts';
import type { Fault } from '../base/fault.ts';
import type { Hash } from '../base/hash.ts';
import type { Unlisten } from '../base/listeners.ts';
import type { Configuration } from '../config/setup.ts';
import type { ServerState } from '../extensions/mcp/servers.ts';
import type { Mode } from '../permissions/modes.ts';
import type { Preview } from '../preview/preview.ts';
import type { Action, AnsweredBy, Reply, SavedRule } from '../permissions/types.ts';
import type { YouAnswer, YouRequest } from '../models/you/queue.ts';
import type { Lesson, LessonSource } from '../lessons/lesson.ts';
import type { LessonCard } from '../lessons/parts.ts';
import type { LessonRun } from '../lessons/run.ts';
import type { AppOffline } from '../offline/state.ts';
import type { Audit } from '../session/log/audit.ts';
import type { CallLog } from '../session/log/call-log.ts';
import type { Effort } from '../session/log/effort.ts';
import type { Inspection } from '../session/inspect/inspection.ts';
import type { Event, ModelRef } from '../session/log/events.ts';
import type { ComparedFile } from '../session/compare/summary.ts';
import type { CallDifference } from '../session/recording/differences.ts';
import type { Recording } from '../session/recording/recording.ts';
import type { SessionState } from '../session/log/state.ts';
import type { RestoreTo } from '../session/restore/moments.ts';
import type { RestorePlan } from '../session/restore/plan.ts';
import type { RestoreChoice } from '../session/restore/restorer.ts';
import type { Stepper } from '../session/stepping/stepper.ts';
import type { SearchHit, SessionMarks, SessionRecord } from '../session/log/store.ts';
import type { SearchService } from '../tools/websearch/service.ts';
import type { ToolStarts } from '../tools/log/starts.ts';
import type { Answers } from '../tools/question/schema.ts';
import type { FolderStore } from '../workspace/folder/store.ts';
import type { Workspace, WorkspaceKind } from '../workspace/workspace.ts';

/**
 * Everything the page needs from the composition root, as plain objects, functions, listeners and promises
 * without Svelte. Whatever can fail rejects with a `FaultError`. A listener only learns that something changed, and
 * reads the new state itself.
 */
export interface App {
  readonly sessions: AppSessions;
  readonly workspaces: AppWorkspaces;
  readonly models: AppModels;
  /** The sign-in at OpenRouter; its code is fetched with the first call. */
  openRouter(): Promise<AppOpenRouter>;
  /** The browser's own model; its code is fetched with the first call. */
  browserModel(): Promise<AppBrowserModel>;
  readonly permissions: AppPermissions;
  readonly configurations: AppConfigurations;
  readonly secrets: AppSecrets;
  readonly servers: AppToolServers;
  /** The script from Settings, exactly as the person wrote it; empty if there is none. */
  readonly scriptText: () => Promise<string>;
  /**
   * Makes this the script that the scripted model plays. If the script has files, makes a workspace with them
   * and resolves to a session in it. Rejects with a fault that names each wrong field.
   */
  readonly playScript: (text: string) => Promise<SessionHandle | null>;
  readonly containers: AppContainers;
  readonly web: AppWeb;
  readonly hosts: AppHosts;
  readonly conversations: AppConversations;
  readonly tools: AppTools;
  readonly log: AppLog;
  readonly you: AppYou;
  readonly storage: AppStorage;
  readonly offline: AppOffline;
  /** The code for recordings is loaded with the first call. */
  readonly recordings: () => Promise<AppRecordings>;
  /** Opens repositories of GitHub. The code is loaded with the first call. */
  readonly repositories: () => Promise<AppRepositories>;
  /** The code for lessons is loaded with the first call. */
  readonly lessons: () => Promise<AppLessons>;
  /** The model of a session as `lessons()` knows it. Does not load the lessons if none was ever begun. */
  readonly lessonModel: (sessionID: string) => Promise<ModelRef | null>;
  /**
   * Runs one prompt twice; resolves when both runs have begun. If it rejects (with a fault), it leaves
   * nothing behind.
   */
  readonly compare: (request: CompareRequest) => Promise<Comparison>;
  /** Makes a workspace with the demo's project and a session whose scripted turn is under way. */
  readonly startDemo: (ready: Ready) => Promise<SessionHandle>;
  /** Lets an agent build a page and look at it. */
  readonly startPageDemo: (ready: Ready) => Promise<SessionHandle>;
  /** Makes a workspace and a session in which the person is the model, with a first message to answer. */
  readonly startYou: (ready: Ready) => Promise<SessionHandle>;
  /** Which folders of the disk are connected with workspaces. The code for that is loaded with the first call. */
  readonly folders: () => Promise<FolderStore>;
  /** The prompts that the person sent in each workspace. The code for that is loaded with the first call. */
  readonly promptHistory: () => Promise<PromptHistory>;
  /** The language services of a workspace, loaded with the first call. */
  readonly languageOf: (workspace: Workspace) => Promise<WorkspaceLanguage>;
  /** The preview of a workspace, loaded with the first call. */
  readonly previewOf: (workspace: Workspace) => Promise<Preview>;
  /** Masks every key that this page has seen. */
  readonly redact: (text: string) => string;
  /** Reads content by its hash: full outputs and attachments. */
  readonly blob: (hash: Hash) => Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** The caller waits for this once the session exists, before anything happens in it. */
export type Ready = (session: SessionHandle) => Promise<void>;

/** A log that belongs to no session of this device. */
export interface RecordedLog {
  readonly recordedID: string;
  readonly session: { readonly events: readonly Event[] };
  content(hash: Hash): Uint8Array<ArrayBuffer> | undefined;
}

export interface AppSessions {
  list(): Promise<readonly SessionRecord[]>;
  /** The sessions that are open in this tab, in which a turn may be running or waiting. */
  live(): readonly SessionHandle[];
  create(options: { readonly workspaceID: string; readonly title?: string }): Promise<SessionHandle>;
  /** Resolves to the same handle for as long as the session is open. */
  open(id: string): Promise<SessionHandle>;
  delete(id: string): Promise<void>;
  restore(id: string): Promise<void>;
  /** Changes the marks that are named, also of a session that another tab writes. */
  mark(id: string, marks: Partial<SessionMarks>): Promise<void>;
  search(query: string): Promise<readonly SearchHit[]>;
  /** The permission decisions of a session; nothing is read before the first page is asked for. */
  audit(id: string): Promise<Audit>;
  /** Opens the log of a session, or of a recording, for inspection. The caller closes it. */
  inspect(id: string, recorded?: RecordedLog | null): Promise<Inspection>;
  /**
   * The stepper that can pause a session of this tab, and the sessions of its sub-agents, before each thing
   * they do.
   */
  stepper(id: string): Promise<Stepper>;
  /** Called when the list, `live()`, or a session's `writable` changed. */
  onChange(listener: () => void): Unlisten;
}

/**
 * A session as the page uses it. Both `Session` and, in a tab that only follows, `SessionFollower` implement
 * it.
 */
export interface SessionHandle {
  readonly id: string;
  readonly state: SessionState;
  readonly writable: boolean;
  /** True if it shows what happened at an earlier moment, so that nothing in it waits for the reader. */
  readonly past?: boolean;
  readonly oldestLoaded: boolean;
  onEvents(listener: (events: readonly Event[]) => void): Unlisten;
  prompt(text: string, options?: { readonly agent?: string; readonly model?: ModelRef }): Promise<void>;
  /**
   * Runs a command of the person as a message; the next request to a model includes it. Resolves when it has ended.
   * Rejects with a fault while something else runs.
   */
  command(command: string, model?: ModelRef): Promise<void>;
  /** True while such a command runs. */
  readonly commanding: boolean;
  /**
   * The listener is called at each moment at which a prompt can join: between two steps, and after a turn or command
   * that ended by itself. The session waits for it.
   */
  onGap(listener: () => Promise<void>): Unlisten;
  abort(): void;
  /** `null` dismisses the question, which ends the turn. */
  answerQuestion(requestID: string, answers: Answers | null, by: AnsweredBy): void;
  /** Sums up the conversation: at once, or before the next step of a running turn. */
  compact(model?: ModelRef): void;
  /**
   * Lets the session's model write a summary, in Markdown, of what was asked, done and changed. `onText` gets
   * the text as it grows. Resolves to `undefined` if `signal` was aborted.
   */
  summarize(signal: AbortSignal, onText?: (text: string) => void): Promise<string | undefined>;
  /** Tries the failed step that is waiting for its next attempt again now. */
  retryNow(): void;
  /** Undoes the person's edit of this message at a pause: models get the original message again. */
  tellAsItIs(messageID: string): Promise<void>;
  /**
   * Undoes the person's edit of this agent's system prompt at a pause: models get the original prompt again.
   */
  tellOwnSystem(agent: string): Promise<void>;
  answer(requestID: string, reply: Reply, by: AnsweredBy): void;
  /** Sets the permission mode, which also applies to requests that are already waiting. */
  setMode(mode: Mode): Promise<void>;
  /** Sets the agent that receives the next prompts. */
  chooseAgent(name: string): Promise<void>;
  /** Sets the reasoning effort from the next step on; `null` leaves it to the model's default. */
  chooseEffort(effort: Effort | null): Promise<void>;
  rename(title: string): Promise<void>;
  keep(keep: boolean): Promise<void>;
  /** Ways to go back, forth and to other versions of the session; `null` if nothing can be changed here. */
  readonly restores: SessionRestores | null;
  loadOlder(limit?: number): Promise<boolean>;
}

export interface SessionRestores {
  /** Tells what going to that moment would change. Rejects with a fault if that is not possible now. */
  plan(to: RestoreTo): Promise<RestorePlan>;
  /** Carries out a plan. Rejects with a fault; the conversation then stays as it was. */
  run(plan: RestorePlan, choice: RestoreChoice): Promise<void>;
}

export interface PromptHistory {
  /** The newest messages that were sent in this workspace, oldest first. */
  load(workspaceID: string): Promise<readonly string[]>;
  add(workspaceID: string, text: string): Promise<void>;
}

export interface AppWorkspaces {
  list(): Promise<readonly WorkspaceSummary[]>;
  /**
   * `auto` starts embedded, and a container can take over until something is changed. If `kind` is absent,
   * the page's address decides. Without `mayTryContainer`, an `auto` workspace stays embedded and StackBlitz
   * is not contacted.
   */
  create(options?: {
    readonly name?: string;
    readonly kind?: WorkspaceKind | 'auto';
    readonly mayTryContainer?: boolean;
  }): Promise<WorkspaceSummary>;
  rename(id: string, name: string): Promise<void>;
  delete(id: string): Promise<void>;
  restore(id: string): Promise<void>;
  /** The running workspace: its files, processes and status. */
  open(id: string): Promise<Workspace>;
  /**
   * Marks the workspace as visible, which keeps it from being suspended until the returned function is
   * called.
   */
  look(id: string): Unlisten;
  /** Makes this tab the writer; resolves once the sessions of this workspace are writable here. */
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

/** WebContainers: whether the person allows them, and what became of each attempt to start one. */
export interface AppContainers {
  choice(): { readonly allowed: boolean; readonly offBySite: boolean; readonly key: string };
  choose(change: { readonly allowed?: boolean; readonly key?: string }): Promise<void>;
  news(workspaceID: string): ContainerNews | null;
  /** Tries again to start a container for a workspace that stayed embedded. */
  retry(workspaceID: string): Promise<void>;
  /**
   * Resolves to true if the workspace now uses the container, and to false if it was changed in the meantime.
   * Only a new workspace can then have one.
   */
  accept(workspaceID: string): Promise<boolean>;
  dismiss(workspaceID: string): void;
  /**
   * Makes a workspace embedded whose container did not start. Rejects with a fault if something was changed
   * in it.
   */
  useEmbedded(workspaceID: string): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

export type ContainerNews =
  | { readonly state: 'trying' }
  /** The page shows this only in the workspace's status and its details. */
  | { readonly state: 'unavailable'; readonly fault: Fault; readonly mayRetry: boolean }
  | { readonly state: 'offered' };

/** The id of the scripted model that plays the script from Settings. */
export const OWN_SCRIPT = 'own-script';

export interface AppModels {
  readonly providers: readonly ProviderInfo[];
  /** The model that prompts go to; `null` until one is chosen. */
  choice(): ModelChoice | null;
  /**
   * Whether the provider has the key and address that it needs. `given`: providers that configuration files
   * describe.
   */
  isSetUp(provider: string, given?: Configuration['providers']): boolean;
  /** The efforts that a model supports, lowest first. */
  efforts(model: ModelChoice): readonly Effort[];
  /** Whether it is known that the model is not sent files of this type. */
  refuses(model: ModelChoice, mediaType: string): boolean;
  /** Whether the model sees pictures; `undefined` if that is not known. */
  seesPictures(model: ModelChoice): boolean | undefined;
  /** From now on the model gets a note in place of each picture, until the page is loaded again. */
  leaveOutPictures(model: ModelRef): void;
  /** If `key` is absent, the stored key stays as it is. */
  choose(choice: ModelChoice, key?: KeyChange): Promise<void>;
  /**
   * The models that were chosen so far, newest first; the default is one of them. Of several addresses of a provider, the
   * ids of all but the newest name the address.
   */
  saved(): readonly ModelRef[];
  /**
   * Takes a model out of that list. Its provider's key stays. If it was the default, the next one of the list is that
   * now.
   */
  remove(model: ModelRef): Promise<void>;
  /** The model for titles and summaries; `undefined` if that is the session's own. */
  small(): ModelRef | undefined;
  chooseSmall(model: ModelRef | null): Promise<void>;
  /** The name for people of a provider, with its address where its id names one. */
  nameOf(provider: string): string;
  /** The custom address for this provider, if the person gave one, or the one that its id names. */
  baseURLOf(provider: string): string | undefined;
  /** Where the key for this provider at this address is stored. */
  keyOf(provider: string, baseURL?: string): 'none' | 'tab' | 'device';
  forgetKey(provider: string, baseURL?: string): Promise<void>;
  /** Models the provider offers. */
  list(draft: ModelDraft): Promise<readonly ModelOption[]>;
  /** Looks for model servers on this machine at their usual ports. Never rejects. */
  lookForLocal(): Promise<readonly LocalFinding[]>;
  /** Sends one small request; resolves when the model has answered. */
  test(draft: ModelDraft): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

/** The answer at the usual port of a model server: its models, nothing, or the reason why they cannot be used. */
export type LocalFinding = { readonly name: string; readonly baseURL: string } & (
  | { readonly state: 'found'; readonly models: readonly ModelOption[] }
  | { readonly state: 'silent'; readonly fault: Fault }
  | { readonly state: 'blocked'; readonly fault: Fault }
);

export interface ProviderInfo {
  readonly id: string;
  readonly name: string;
  readonly key: 'required' | 'optional' | 'none';
  /**
   * Addresses to choose from, with the first one prefilled. An empty list means the provider's own address,
   * unless the person gives another.
   */
  readonly addresses: readonly { readonly name: string; readonly baseURL: string }[];
  /** The page on which a person gets a key. */
  readonly keysAt?: string;
}

export interface ModelChoice {
  readonly provider: string;
  readonly baseURL?: string;
  readonly model: string;
}

/** Settings while the person edits them. If `apiKey` is absent, the stored key applies. */
export interface ModelDraft extends ModelChoice {
  readonly apiKey?: string;
}

export interface KeyChange {
  /** If absent, the stored key is kept and only its place changes. */
  readonly value?: string;
  /** True keeps the key on this device, false only in this tab. */
  readonly remember: boolean;
}

export interface AppOpenRouter {
  /** Leaves the page for OpenRouter's. Throws a fault. */
  signIn(): void;
  /**
   * Finishes with the parameters of the address that the person came back to, and makes a free model the default.
   * Rejects with a fault; where that is retryable, the same parameters can be given again.
   */
  signedIn(search: string): Promise<ModelChoice>;
}

/** The name of the browser's own model. */
export const BROWSER_MODEL = 'built-in';

/** `none`: the browser has no such model for pages. */
export type BrowserModelState = 'none' | 'unavailable' | 'downloadable' | 'downloading' | 'available';

export interface AppBrowserModel {
  state(): Promise<BrowserModelState>;
  /**
   * Downloads the model, or waits for a download that runs. It must be called within a click. `progress` gets a
   * fraction from 0 to 1. Rejects with a fault; an abort ends only the waiting.
   */
  download(progress: (fraction: number) => void, signal: AbortSignal): Promise<void>;
  /** The models that the page itself can run. */
  readonly inTab: AppTabModels;
}

/** A small open model that can be fetched. The facts are those of its publisher. */
export interface OfferedTabModel {
  readonly id: string;
  readonly name: string;
  readonly licence: string;
  /** The number of its parameters, in millions. */
  readonly millions: number;
  /** The size of what would be fetched for this machine. */
  readonly megabytes: number;
  readonly page: string;
}

export interface KeptTabModel {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  /** False where a download was interrupted. */
  readonly isWhole: boolean;
}

/** Whatever fails rejects with a fault. */
export interface AppTabModels {
  /** Whether models run on a graphics card here. */
  onGraphics(): Promise<boolean>;
  offered(): Promise<readonly OfferedTabModel[]>;
  kept(): Promise<readonly KeptTabModel[]>;
  /** Goes on where an earlier attempt ended. `total` is null where the server does not tell it. */
  download(
    id: string,
    progress: (bytes: number, total: number | null) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** Keeps the model whose files the person picked. */
  take(files: readonly File[]): Promise<void>;
  remove(id: string): Promise<void>;
}

export interface ModelOption {
  readonly id: string;
  readonly name?: string;
  /** The size of the context window, in tokens. */
  readonly contextLimit?: number;
  /** True if the provider's list says that it costs nothing. */
  readonly free?: true;
}

export interface AppPermissions {
  /**
   * The action that Settings show for each tool. A tool with its own patterns in the configuration is
   * `custom`, and Settings leave it as it is.
   */
  tools(): readonly ToolPermission[];
  set(permission: string, action: Action): Promise<void>;
  /** Saved answers: first those for this workspace, then those for all workspaces. */
  rules(workspaceID: string | null): Promise<readonly SavedRule[]>;
  revoke(id: string): Promise<void>;
  /** The saved rules for this workspace and for all workspaces, as JSON. */
  exportRules(workspaceID: string | null): Promise<string>;
  /** Saves the rules of an exported file for a workspace, all or none; resolves to their number. */
  importRules(workspaceID: string, json: string): Promise<number>;
  onChange(listener: () => void): Unlisten;
}

export interface ToolPermission {
  readonly permission: string;
  readonly action: Action | 'custom';
}

/** Secrets that configuration and custom tools refer to by name, without ever seeing the value. */
export interface AppSecrets {
  names(): readonly string[];
  kept(name: string): 'none' | 'tab' | 'device';
  set(name: string, change: KeyChange): Promise<void>;
  forget(name: string): Promise<void>;
  /** Hosts that asked for a secret while nobody could be asked for permission. */
  asked(): readonly { readonly name: string; readonly host: string }[];
  allow(name: string, host: string): Promise<void>;
  dismiss(name: string, host: string): void;
  onChange(listener: () => void): Unlisten;
}

/** The configuration that files define: the files of workspaces, and the person's own. */
export interface AppConfigurations {
  /** The configuration as of the last reading; `null` before the first. */
  of(workspaceID: string): Configuration | null;
  /** Reads changed files again, in a workspace that this tab writes. */
  refresh(workspaceID: string): Promise<unknown>;
  /**
   * Whether the person has said if they trust the workspace's files. True as well if the files ask for no
   * grants.
   */
  isAnswered(workspaceID: string): boolean;
  /** `hash` identifies the grants that the person saw. */
  answer(workspaceID: string, hash: string, trusted: boolean): Promise<void>;
  /** File contents, keyed by path below `~/.config/opencode`. */
  ownFiles(): Readonly<Record<string, string>>;
  /** `null` removes the file. */
  setOwnFile(path: string, text: string | null): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

/** Tool servers (MCP), as the configuration names them. */
export interface AppToolServers {
  /** The servers of this workspace. */
  list(workspaceID: string | null): readonly ToolServer[];
  /** Adds a server to the person's own configuration. Rejects with a fault. */
  add(server: { readonly name: string; readonly url: string; readonly clientId?: string }): Promise<void>;
  remove(name: string): Promise<void>;
  connect(name: string): void;
  signOut(name: string): Promise<void>;
  /** Keeps the tokens from signing in on this device if true, else in this tab. */
  setRemembered(name: string, remembered: boolean): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

export interface ToolServer {
  readonly name: string;
  /** The server's address, or its program. */
  readonly where: string;
  readonly state: ServerState;
  /** True if the server is in the person's own opencode.json, from which it can be removed. */
  readonly removable: boolean;
  readonly signedIn: boolean;
  readonly remembered: boolean;
}

/** Settings for the help that the model gives in a conversation besides answering. */
export interface AppConversations {
  current(): ConversationHelp;
  set(change: Partial<ConversationHelp>): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

export interface ConversationHelp {
  /** Lets the model name new sessions. */
  readonly titles: boolean;
  /** When the context is full, removes old outputs from it and sums up the conversation. */
  readonly summaries: boolean;
}

/** How the agent fetches and searches web pages. */
export interface AppWeb {
  /** An address that contains `{url}`; `undefined` means that pages are fetched directly. */
  proxy(): string | undefined;
  /** An empty text means no proxy. Rejects with a fault if the text is not such an address. */
  setProxy(text: string): Promise<void>;
  /** Where the key for a search service is stored. */
  searchKey(service: SearchService): 'none' | 'tab' | 'device';
  setSearchKey(service: SearchService, key: KeyChange): Promise<void>;
  forgetSearchKey(service: SearchService): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

/** Outside hosts that programs in embedded workspaces may reach. */
export interface AppHosts {
  hosts(): Promise<readonly string[]>;
  /**
   * Takes one host per line and resolves to the hosts it kept. Rejects with a fault that names the wrong
   * line, and then changes nothing.
   */
  setHosts(lines: string): Promise<readonly string[]>;
  /** Adds hosts to those that are allowed. Rejects with a fault that names the wrong one. */
  addHosts(more: readonly string[]): Promise<void>;
  /** The request that a program waits for the person to allow. */
  readonly wanted: Wanted | null;
  /** Answers for what is wanted. Allowing hosts adds them to those that are allowed. */
  answer(allowed: boolean): Promise<void>;
  onChange(listener: () => void): Unlisten;
}

/** A program asks the person for hosts, or for the use of the GitHub token in one repository. */
export interface Wanted {
  /** Empty where it is about the token. */
  readonly hosts: readonly string[];
  readonly token?: {
    readonly workspaceID: string;
    /** `owner/name` */
    readonly repository: string;
    readonly access: 'read' | 'write';
  };
}

/** A repository of GitHub that the person wants to open. */
export interface RepositoryRequest {
  /** `owner/name` */
  readonly repository: string;
  /** A branch or tag; the default branch if it is undefined. */
  readonly ref?: string | undefined;
}

export interface AppRepositories {
  opening(request: RepositoryRequest): RepositoryOpening;
}

export interface RepositoryOpening {
  /**
   * Clones into a new workspace and resolves to its id. Lets programs reach GitHub from then on. `report` gets how much has
   * come, in percent. Rejects with a fault; another run goes on with what has come.
   */
  run(report: (percent: number) => void, signal: AbortSignal): Promise<string>;
  /** Removes the workspace of a run that has failed or was stopped. */
  discard(): Promise<void>;
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

/** The log of the agent's tool calls. */
export interface AppLog {
  /** The calls of a session, or of a recording; nothing is read before the first page is asked for. */
  calls(sessionID: string, recorded?: RecordedLog | null): Promise<CallLog>;
  /** The tools that were prepared for models since the page was opened, and how long that took. */
  readonly starts: Pick<ToolStarts, 'records' | 'startups' | 'onChange'>;
}

/** Sessions as files that can be played back. */
export interface AppRecordings {
  /**
   * Records the session and its sub-agents' sessions as they are now, without the secrets that this page
   * knows. `most` is how many bytes of files and outputs it may have, where that is not the limit of a file.
   */
  record(sessionID: string, most?: number): Promise<Recording>;
  /**
   * Makes a workspace with the recording's initial files and its sessions. Resolves to the id of the session
   * that was recorded.
   */
  import(recording: Recording): Promise<string>;
  /**
   * Makes a session that goes on from the moment of another one after this many events, in a new workspace with
   * the files of that moment. Resolves to its id.
   */
  fork(sessionID: string, events: number): Promise<string>;
  /** The same for a moment of a recording. */
  forkRecording(recording: Recording, events: number): Promise<string>;
  /** Fetches over https or from the app's own origin, without credentials. */
  fetch(address: string): Promise<Recording>;
  /**
   * Runs the recording in a new workspace with its initial files. The recorded model answers; the tools
   * really run and ask.
   */
  run(recording: Recording): Promise<RecordingRun>;
}

/** One prompt for two sides, each in its own copy of the workspace as it is at that moment. */
export interface CompareRequest {
  readonly workspaceID: string;
  /** The name of both copies, to which a letter is added. */
  readonly name: string;
  readonly prompt: string;
  readonly sides: readonly [CompareSide, CompareSide];
}

export interface CompareSide {
  readonly model: ModelRef;
  readonly agent: string;
  /** `null` leaves the effort to the model's default. */
  readonly effort: Effort | null;
  readonly mode: Mode;
}

export interface Comparison {
  readonly request: CompareRequest;
  readonly sessions: readonly [SessionHandle, SessionHandle];
  /** Compares the files as they are now. */
  files(): Promise<readonly ComparedFile[]>;
  /** The two texts at a path as of the last {@link files} call; `null` for a side without that file. */
  texts(path: string): readonly [string | null, string | null];
}

/** A recording that runs for real, and how its calls compare with the recorded ones. */
export interface RecordingRun {
  readonly sessionID: string;
  /** The model's speed, as a multiple of the recorded speed. */
  readonly speed: number;
  setSpeed(speed: number): void;
  /** While paused, the recorded model says nothing more; calls that already run come to their end. */
  readonly paused: boolean;
  setPaused(paused: boolean): void;
  /** True once nothing more of the recording will come. */
  readonly over: boolean;
  differences(): readonly CallDifference[];
  onChange(listener: () => void): Unlisten;
}

/** Requests that the person answers in the model's place. */
export interface AppYou {
  /** The requests that wait for an answer, oldest first. */
  waiting(): readonly YouRequest[];
  answer(id: string, answer: YouAnswer): void;
  /** The error that the model would get for these arguments; `null` if they are valid. */
  problem(request: YouRequest, tool: string, args: string): Promise<string | null>;
  onChange(listener: () => void): Unlisten;
}

export interface AppStorage {
  /** False if sessions exist only in memory and are lost with the tab. */
  readonly persistent: boolean;
  /** The current problem with storage. The page shows it until it is resolved. */
  readonly problem: Fault | null;
  /** Resolves to bytes, or to `null` if the browser does not say. */
  usage(): Promise<{ readonly used: number; readonly quota: number } | null>;
  onChange(listener: () => void): Unlisten;
}

/** The lessons that come with the app, and the person's own. */
export interface AppLessons {
  list(): readonly LessonEntry[];
  load(id: string): Promise<Lesson>;
  source(id: string): Promise<LessonSource>;
  /** Saves one of the person's own lessons under `id`, or under a new id. Resolves to the id. */
  save(source: LessonSource, id?: string): Promise<string>;
  remove(id: string): Promise<void>;
  /** Continues a lesson where the learner left it, or begins it in a workspace and session of its own. */
  open(id: string): Promise<OpenLesson>;
  /** Begins the lesson again. The workspace of the previous attempt is removed like any other. */
  restart(id: string): Promise<OpenLesson>;
  /** The model of a session that was made for a lesson; `null` for any other session. */
  modelOf(sessionID: string): Promise<ModelRef | null>;
  onChange(listener: () => void): Unlisten;
}

export interface LessonEntry extends LessonCard {
  readonly id: string;
  readonly own: boolean;
  /** Index of the learner's current step; `null` if the lesson was not begun. */
  readonly step: number | null;
  /** The number of steps. */
  readonly steps: number;
  /** The language of its texts. It is not known of the person's own. */
  readonly language?: string;
}

export interface OpenLesson {
  readonly id: string;
  readonly run: LessonRun;
  readonly session: SessionHandle;
  /** The model that the prompts of the lesson's session go to. */
  readonly model: ModelRef;
  close(): void;
}
