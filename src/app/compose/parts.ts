import type { Script } from '../../models/types.ts';
import type { YouQueue } from '../../models/you/queue.ts';
import type { Answerer } from '../../permissions/types.ts';
import type { QuestionAnswerer } from '../../session/calls/questions.ts';
import type { RecentBodies } from '../../session/inspect/bodies.ts';
import type { Model } from '../../session/request/model.ts';
import type { Sessions } from '../../session/sessions.ts';
import type { TabChannel } from '../../storage/channel.ts';
import type { Network } from '../../models/fault-context.ts';
import type { KeyStore } from '../../models/keys.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Timer } from '../../base/timer.ts';
import type { Web } from '../../tools/webfetch/web.ts';
import type { WorkspaceKind } from '../../workspace/workspace.ts';
import type { ConfigurationsOfApp } from '../configurations.ts';
import type { Containers } from '../containers.ts';
import type { ConversationSettings } from '../conversation-settings.ts';
import type { HostSettings } from '../host-settings.ts';
import type { Languages } from '../languages.ts';
import type { Offline } from '../offline/offline.ts';
import type { LessonsOfApp } from '../lessons.ts';
import type { ModelSettings } from '../model-settings.ts';
import type { OwnScript } from '../own-script.ts';
import type { PermissionSettingsOfApp } from '../permission-settings.ts';
import type { Previews } from '../previews.ts';
import type { SecretsOfApp } from '../secrets.ts';
import type { SessionsOfApp } from '../sessions.ts';
import type { StorageNotice } from '../storage-notice.ts';
import type { ToolLogOfApp } from '../tool-log.ts';
import type { ToolServersOfApp } from '../tool-servers.ts';
import type { ToolSettings } from '../tool-settings.ts';
import type { LoadedTools } from '../tools.ts';
import type { WebSettings } from '../web-settings.ts';
import type { Workspaces } from '../workspaces.ts';

export interface AppOptions {
  /** The element that gets the frames of workspaces. */
  readonly container: HTMLElement;
  readonly timer: Timer;
  readonly storage: Storage;
  readonly notice: StorageNotice;
  readonly offline: Offline;
  readonly keys: KeyStore;
  /** The kind of new workspaces if none is specified. */
  readonly kind: WorkspaceKind | 'auto';
  /** Whether the owner of this site has switched WebContainers off. */
  readonly containersOff: boolean;
}

/** The switches that only automation sets. */
export interface AutomationSwitches {
  /** Whether the app makes no model requests of its own, such as those for titles. */
  automated: boolean;
  answerer: Answerer | null;
  questionAnswerer: QuestionAnswerer | null;
}

/**
 * The parts of the app. They are created in the order in which they are listed; a part may use those below
 * it only in functions that run later.
 */
export interface Parts {
  readonly options: AppOptions;
  readonly channel: TabChannel;
  readonly automation: AutomationSwitches;
  /** The scripts of scripted models, by model name. */
  readonly scripts: Map<string, Script>;
  /** The playbacks of recordings that run, by model name. */
  readonly recorded: Map<string, Model>;
  readonly network: Network;
  readonly youQueue: YouQueue;
  readonly conversations: ConversationSettings;
  readonly web: WebSettings;
  readonly hosts: HostSettings;
  readonly tools: ToolSettings;
  readonly secrets: SecretsOfApp;
  /** The bodies of recent requests, for the inspector. */
  readonly bodies: RecentBodies;
  readonly toolLog: ToolLogOfApp;
  readonly languages: Languages;
  /** The access of tools to the web. */
  readonly pages: Web;
  readonly registry: LoadedTools;
  readonly models: ModelSettings;
  readonly permissions: PermissionSettingsOfApp;
  readonly configurations: ConfigurationsOfApp;
  readonly containers: Containers;
  readonly workspaces: Workspaces;
  readonly servers: ToolServersOfApp;
  readonly sessions: Sessions;
  readonly appSessions: SessionsOfApp;
  /** The code is loaded with the first call. */
  previews(): Promise<Previews>;
  /** The code is loaded with the first call. */
  ownScript(): Promise<OwnScript>;
  /** The code is loaded with the first call. */
  lessons(): Promise<LessonsOfApp>;
}
