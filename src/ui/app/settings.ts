import type { Fault } from '../../base/fault.ts';
import type { Unlisten } from '../../base/listeners.ts';
import type { Problem } from '../../config/parse.ts';
import type { Configuration } from '../../config/setup.ts';
import type { ServerState } from '../../extensions/mcp/servers.ts';
import type { Action, SavedRule } from '../../permissions/types.ts';
import type { SearchService } from '../../tools/websearch/service.ts';
import type { KeyChange } from './models.ts';

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

export interface OwnFileCheck {
  /** Whether a file of this name has an effect by itself, and not only where another file names it. */
  readonly isUsed: boolean;
  readonly problems: readonly Problem[];
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
  /** Tells whether a file of one's own has an effect by its name, and which problems its text has. */
  checkOwnFile(path: string, text: string): Promise<OwnFileCheck>;
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

export interface AppStorage {
  /** False if sessions exist only in memory and are lost with the tab. */
  readonly persistent: boolean;
  /** The current problem with storage. The page shows it until it is resolved. */
  readonly problem: Fault | null;
  /** Resolves to bytes, or to `null` if the browser does not say. */
  usage(): Promise<{ readonly used: number; readonly quota: number } | null>;
  onChange(listener: () => void): Unlisten;
}
