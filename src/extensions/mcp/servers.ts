import { messageOf } from '../../base/message-of.ts';
import { UnauthorizedError } from '@modelcontextprotocol/client';
import { FaultError, type Fault } from '../../base/fault.ts';
import { Listeners, type Unlisten } from '../../base/listeners.ts';
import type { Timer } from '../../base/timer.ts';
import type { ToolInfo } from '../../tools/tool.ts';
import type { Process } from '../../workspace/workspace.ts';
import { connectLocal, connectRemote, finishSignIn, type Connection } from './connection.ts';
import type { RemoteServer, ServerConfig } from '../../config/servers.ts';
import { SignIn, type CredentialStore } from './sign-in.ts';
import { offeredTools, type OfferedTool } from './offered-tools.ts';
import { serverTool } from './tool.ts';

export type ServerState =
  | { readonly state: 'off' }
  | { readonly state: 'connecting' }
  | { readonly state: 'connected'; readonly tools: readonly string[] }
  /** The person must first sign in at `address`. With `wider`, the current sign-in does not cover what a call needed. */
  | { readonly state: 'sign-in'; readonly address: string; readonly wider?: true }
  /** The server does not know our client and registers none, so a client id must be configured. */
  | { readonly state: 'no-client'; readonly fault: Fault }
  | { readonly state: 'failed'; readonly fault: Fault };

/** A server with the workspaces that its tools are for. A local program runs once in each of them. */
export interface NamedServer {
  readonly name: string;
  readonly config: ServerConfig;
  readonly workspaceIDs: readonly string[];
}

export interface ServersOptions {
  readonly fetch: typeof fetch;
  readonly store: CredentialStore;
  readonly redirectUrl: string;
  /** The address of this page's client document, where the site publishes one. */
  readonly clientMetadataUrl?: string | undefined;
  readonly random: () => string;
  readonly timer: Timer;
  spawn(workspaceID: string, command: readonly string[], server: ServerConfig): Process | Promise<Process>;
  /** Returns a function that unregisters the tool. */
  register(tool: ToolInfo): Unlisten;
  /** Replaces `${NAME}` in headers by the value; rejects where the person has not allowed it for this host. */
  headers(server: RemoteServer): Promise<RemoteServer>;
  /** Removes secrets from a text, as a server may answer with those it was sent. */
  hide(text: string): string;
}

interface Entry {
  server: NamedServer;
  readonly signIn: SignIn | undefined;
  state: ServerState;
  connection?: Connection;
  tools: Unlisten[];
  /** The other servers that the ids of the tools were chosen for. */
  otherServers: readonly string[];
}

/** How long a step waits for servers that are connecting, in milliseconds. */
const WAIT_MS = 5_000;

/** Connects to the tool servers, tracks their states and registers their tools. */
export class McpServers {
  readonly #options: ServersOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #connecting = new Set<Promise<void>>();
  readonly #changed = new Listeners<void>();

  constructor(options: ServersOptions) {
    this.#options = options;
  }

  list(): readonly (NamedServer & { readonly state: ServerState })[] {
    return [...this.#entries.values()].map(({ server, state }) => ({ ...server, state }));
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  /** Replaces the servers. A server that stays the same keeps its connection. */
  set(servers: readonly NamedServer[]): void {
    const wanted = new Map(servers.flatMap(perWorkspace).map((server) => [keyOf(server), server]));
    for (const key of this.#entries.keys()) if (!wanted.has(key)) this.#remove(key);
    for (const [key, server] of wanted) {
      const entry = this.#entries.get(key);
      if (entry) entry.server = server;
      else this.#add(key, server);
    }
    for (const entry of this.#entries.values()) this.#rename(entry);
    this.#changed.emit();
  }

  /** Resolves when no server is connecting any more, or after some seconds, so that a slow server delays no step. */
  async settled(): Promise<void> {
    if (this.#connecting.size === 0) return;
    let cancel = () => {};
    const late = new Promise<void>((resolve) => (cancel = this.#options.timer.after(WAIT_MS, resolve)));
    await Promise.race([Promise.all(this.#connecting), late]);
    cancel();
  }

  connect(name: string): void {
    for (const entry of this.#entries.values()) if (entry.server.name === name) this.#connect(entry);
  }

  /** Handles the parameters of the redirect; resolves to false where no sign-in expects them. */
  async signedIn(back: URLSearchParams): Promise<boolean> {
    for (const entry of this.#entries.values()) {
      const { signIn, server } = entry;
      if (!signIn?.expects(back.get('state')) || server.config.type !== 'remote') continue;
      this.#setState(entry, { state: 'connecting' });
      try {
        if (back.get('error') !== null)
          throw new FaultError({
            code: 'sign-in-refused',
            what: back.get('error_description') ?? `The sign-in at ${server.name} was refused.`,
            next: 'Sign in again, or remove the server.',
          });
        await finishSignIn(server.config, signIn, this.#options.fetch, back);
        this.#connect(entry);
      } catch (error) {
        this.#setState(entry, failed(server, error));
      }
      return true;
    }
    return false;
  }

  /** Deletes the credentials and connects again, which asks for a new sign-in if one is needed. */
  async signOut(name: string): Promise<void> {
    for (const entry of this.#entries.values()) {
      if (entry.server.name !== name) continue;
      await entry.signIn?.invalidateCredentials('all');
      this.#connect(entry);
    }
  }

  #add(key: string, server: NamedServer): void {
    const { config } = server;
    const { store, redirectUrl, clientMetadataUrl, random } = this.#options;
    const signIn =
      config.type === 'remote' && config.oauth !== false
        ? new SignIn({
            server: server.name,
            url: config.url,
            config: config.oauth ?? {},
            store,
            redirectUrl,
            clientMetadataUrl,
            random,
          })
        : undefined;
    const entry: Entry = { server, signIn, state: { state: 'off' }, tools: [], otherServers: [] };
    this.#entries.set(key, entry);
    if (config.enabled !== false) this.#connect(entry);
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    if (entry) this.#drop(entry);
  }

  #connect(entry: Entry): void {
    this.#drop(entry);
    this.#setState(entry, { state: 'connecting' });
    const connecting = this.#open(entry).then(
      (connection) => this.#onOpened(entry, connection),
      (error: unknown) => this.#failed(entry, error),
    );
    this.#connecting.add(connecting);
    void connecting.finally(() => this.#connecting.delete(connecting));
  }

  async #open({ server, signIn }: Entry): Promise<Connection> {
    const { config } = server;
    if (config.type === 'remote')
      return connectRemote(await this.#options.headers(config), signIn, this.#options.fetch);
    const [workspaceID = ''] = server.workspaceIDs;
    const process = await this.#options.spawn(workspaceID, config.command, config);
    return connectLocal(() => process, config.timeout);
  }

  #onOpened(entry: Entry, connection: Connection): void {
    if (!this.#isCurrent(entry)) return void connection.close();
    entry.connection = connection;
    connection.onClose((reason) => {
      this.#drop(entry);
      this.#setState(
        entry,
        failed(entry.server, new Error(reason === '' ? 'The server closed the connection.' : reason)),
      );
    });
    connection.onTools(() => this.#offer(entry, connection));
    this.#offer(entry, connection);
  }

  /** Registers the tools again where their ids change, as these depend on the other servers. */
  #rename(entry: Entry): void {
    const others = this.#otherServers(entry);
    if (entry.connection && others.join('\n') !== entry.otherServers.join('\n'))
      this.#offer(entry, entry.connection);
  }

  #otherServers({ server }: Entry): readonly string[] {
    const isBeside = (other: NamedServer) =>
      other.name !== server.name && other.workspaceIDs.some((id) => server.workspaceIDs.includes(id));
    const names = [...this.#entries.values()].flatMap((other) =>
      isBeside(other.server) ? other.server.name : [],
    );
    return [...new Set(names)].sort();
  }

  #offer(entry: Entry, connection: Connection): void {
    for (const unregister of entry.tools) unregister();
    entry.otherServers = this.#otherServers(entry);
    const offered = offeredTools(entry.server.name, connection.tools, entry.otherServers);
    entry.tools = offered.map((tool) => this.#options.register(this.#toolOf(entry, tool)));
    this.#setState(entry, { state: 'connected', tools: offered.map(({ tool }) => tool.name) });
  }

  #toolOf(entry: Entry, { id, tool }: OfferedTool): ToolInfo {
    const { name } = entry.server;
    return serverTool({
      id,
      server: name,
      tool,
      hide: this.#options.hide,
      isOffered: (workspace) => entry.server.workspaceIDs.includes(workspace.id),
      connection: () => {
        if (entry.connection) return this.#watched(entry, entry.connection);
        throw new FaultError({
          code: 'server-gone',
          what: `The tool server ${name} is not connected any more.`,
        });
      },
    });
  }

  /** Wraps calls, so that one that needs more rights asks for a wider sign-in. */
  #watched(entry: Entry, connection: Connection): Pick<Connection, 'call'> {
    return {
      call: async (...given) => {
        try {
          return await connection.call(...given);
        } catch (error) {
          const address = entry.signIn?.address;
          if (!(error instanceof UnauthorizedError) || !address || !this.#isCurrent(entry)) throw error;
          this.#setState(entry, { state: 'sign-in', address: address.href, wider: true });
          throw new FaultError({
            code: 'sign-in-wanted',
            what: `${entry.server.name} needs a sign-in with more rights for this.`,
            next: 'Sign in under Settings, Tool servers; then try again.',
          });
        }
      },
    };
  }

  #failed(entry: Entry, error: unknown): void {
    if (!this.#isCurrent(entry)) return;
    const address = entry.signIn?.address;
    if (error instanceof UnauthorizedError && address)
      return this.#setState(entry, { state: 'sign-in', address: address.href });
    this.#setState(entry, failed(entry.server, error));
  }

  #drop(entry: Entry): void {
    for (const unregister of entry.tools) unregister();
    entry.tools = [];
    void entry.connection?.close().catch(() => undefined);
    delete entry.connection;
  }

  #isCurrent(entry: Entry): boolean {
    return this.#entries.get(keyOf(entry.server)) === entry;
  }

  #setState(entry: Entry, state: ServerState): void {
    entry.state = state;
    this.#changed.emit();
  }
}

function perWorkspace(server: NamedServer): readonly NamedServer[] {
  if (server.config.type === 'remote') return [server];
  return server.workspaceIDs.map((id) => ({ ...server, workspaceIDs: [id] }));
}

function keyOf({ name, config, workspaceIDs }: NamedServer): string {
  return JSON.stringify([name, config, ...(config.type === 'local' ? workspaceIDs : [])]);
}

function failed(server: NamedServer, error: unknown): ServerState {
  if (error instanceof FaultError) return { state: 'failed', fault: error.fault };
  const what = messageOf(error);
  if (/regist|client_id/i.test(what))
    return {
      state: 'no-client',
      fault: {
        code: 'no-client',
        what: `${server.name} does not register clients itself: ${what}`,
        next: 'Register a client there and enter its client id.',
      },
    };
  const isNetwork = error instanceof TypeError && server.config.type === 'remote';
  return {
    state: 'failed',
    fault: {
      code: isNetwork ? 'unreachable' : 'server-failed',
      what: isNetwork ? `${server.name} cannot be reached from this page.` : what,
      next: isNetwork
        ? 'Check its address, and that it allows requests from other origins (CORS).'
        : 'Check its settings, and connect again.',
    },
  };
}
