import type { Hash } from '../base/hash.ts';
import type { WorkspaceLanguage } from '../language/language.ts';
import type { AppOffline } from '../offline/state.ts';
import type { Preview } from '../preview/preview.ts';
import type { ModelRef } from '../session/log/events.ts';
import type { FolderStore } from '../workspace/folder/store.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { AppLessons, AppYou } from './app/lessons.ts';
import type { AppBrowserModel, AppModels, AppOpenRouter } from './app/models.ts';
import type { AppRecordings, CompareRequest, Comparison } from './app/recordings.ts';
import type { AppLog, AppSessions, PromptHistory, Ready, SessionHandle } from './app/sessions.ts';
import type {
  AppConfigurations,
  AppConversations,
  AppPermissions,
  AppSecrets,
  AppStorage,
  AppToolServers,
  AppTools,
  AppWeb,
} from './app/settings.ts';
import type { AppContainers, AppHosts, AppRepositories, AppWorkspaces } from './app/workspaces.ts';

export type * from './app/sessions.ts';
export type * from './app/workspaces.ts';
export type * from './app/models.ts';
export type * from './app/settings.ts';
export type * from './app/recordings.ts';
export type * from './app/lessons.ts';
export { BROWSER_MODEL, OWN_SCRIPT } from './app/models.ts';

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
