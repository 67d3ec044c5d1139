import { UnauthorizedError } from '@modelcontextprotocol/client';
import { FaultError, type Fault } from '../../base/fault.ts';
import { Listeners, type Unlisten } from '../../base/listeners.ts';
import type { Timer } from '../../base/timer.ts';
import type { ToolInfo } from '../../tools/tool.ts';
import type { Process } from '../../workspace/workspace.ts';
import { connectLocal, connectRemote, finishSignIn, type Connection } from './connection.ts';
import type { RemoteServer, ServerConfig } from '../../config/servers.ts';
import { SignIn, type CredentialStore } from './sign-in.ts';
import { offeredTools, type OfferedTool } from './offered.ts';
import { serverTool } from './tool.ts';

export type ServerState =
  | { readonly state: 'off' }
  | { readonly state: 'connecting' }
  | { readonly state: 'connected'; readonly tools: readonly string[] }
  /** The person has to agree at `address` first. */
  | { readonly state: 'sign-in'; readonly address: string }
  /** The server knows no client of ours and registers none: one has to be given. */
  | { readonly state: 'no-client'; readonly fault: Fault }
  | { readonly state: 'failed'; readonly fault: Fault };

/** A server, and the workspaces in which it brings its tools; a program runs in one of its own for each. */
export interface NamedServer {
  readonly name: string;
  readonly config: ServerConfig;
  readonly workspaceIDs: readonly string[];
}

export interface ServersOptions {
  readonly fetch: typeof fetch;
  readonly store: CredentialStore;
  readonly redirectUrl: string;
  readonly random: () => string;
  readonly timer: Timer;
  spawn(workspaceID: string, command: readonly string[], server: ServerConfig): Process | Promise<Process>;
  /** Returns what takes the tool back. */
  register(tool: ToolInfo): Unlisten;
  /** Values that stand for `${NAME}` in headers; rejects where the person has not let this host have it. */
  headers(server: RemoteServer): Promise<RemoteServer>;
  /** The text without secrets: a server may answer with what it was given. */
  hide(text: string): string;
}

interface Entry {
  server: NamedServer;
  readonly signIn: SignIn | undefined;
  state: ServerState;
  connection?: Connection;
  tools: Unlisten[];
  /** The servers that were heeded when the tools got their ids. */
  beside: readonly string[];
}

/** How long a step waits for servers that are connecting. */
const WAIT_MS = 5_000;

/** The servers that bring tools, by name: connected, watched, and their tools registered. */
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

  /** What is there from now on. A server that stays the same keeps its connection. */
  set(servers: readonly NamedServer[]): void {
    const wanted = new Map(servers.flatMap(apart).map((server) => [keyOf(server), server]));
    for (const key of this.#entries.keys()) if (!wanted.has(key)) this.#remove(key);
    for (const [key, server] of wanted) {
      const entry = this.#entries.get(key);
      if (entry) entry.server = server;
      else this.#add(key, server);
    }
    for (const entry of this.#entries.values()) this.#rename(entry);
    this.#changed.emit();
  }

  /** Resolves when none is connecting any more, or after some seconds: a slow server holds no step up. */
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

  /** What came back to the redirect address; false where no sign-in here asked for it. */
  async signedIn(back: URLSearchParams): Promise<boolean> {
    for (const entry of this.#entries.values()) {
      const { signIn, server } = entry;
      if (!signIn?.expects(back.get('state')) || server.config.type !== 'remote') continue;
      this.#say(entry, { state: 'connecting' });
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
        this.#say(entry, failed(server, error));
      }
      return true;
    }
    return false;
  }

  /** Forgets what signing in has brought, and asks for it again when it is next needed. */
  async signOut(name: string): Promise<void> {
    for (const entry of this.#entries.values()) {
      if (entry.server.name !== name) continue;
      await entry.signIn?.invalidateCredentials('all');
      this.#connect(entry);
    }
  }

  #add(key: string, server: NamedServer): void {
    const { config } = server;
    const { store, redirectUrl, random } = this.#options;
    const signIn =
      config.type === 'remote' && config.oauth !== false
        ? new SignIn({
            server: server.name,
            url: config.url,
            config: config.oauth ?? {},
            store,
            redirectUrl,
            random,
          })
        : undefined;
    const entry: Entry = { server, signIn, state: { state: 'off' }, tools: [], beside: [] };
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
    this.#say(entry, { state: 'connecting' });
    const connecting = this.#open(entry).then(
      (connection) => this.#opened(entry, connection),
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

  #opened(entry: Entry, connection: Connection): void {
    if (!this.#isCurrent(entry)) return void connection.close();
    entry.connection = connection;
    connection.onClose((reason) => {
      this.#drop(entry);
      this.#say(entry, failed(entry.server, new Error(reason === '' ? 'It has hung up.' : reason)));
    });
    connection.onTools(() => this.#offer(entry, connection));
    this.#offer(entry, connection);
  }

  /** The ids of its tools depend on which servers are beside it. */
  #rename(entry: Entry): void {
    const others = this.#beside(entry);
    if (entry.connection && others.join('\n') !== entry.beside.join('\n'))
      this.#offer(entry, entry.connection);
  }

  #beside({ server }: Entry): readonly string[] {
    const isBeside = (other: NamedServer) =>
      other.name !== server.name && other.workspaceIDs.some((id) => server.workspaceIDs.includes(id));
    const names = [...this.#entries.values()].flatMap((other) =>
      isBeside(other.server) ? other.server.name : [],
    );
    return [...new Set(names)].sort();
  }

  #offer(entry: Entry, connection: Connection): void {
    for (const unregister of entry.tools) unregister();
    entry.beside = this.#beside(entry);
    const offered = offeredTools(entry.server.name, connection.tools, entry.beside);
    entry.tools = offered.map((tool) => this.#options.register(this.#toolOf(entry, tool)));
    this.#say(entry, { state: 'connected', tools: offered.map(({ tool }) => tool.name) });
  }

  #toolOf(entry: Entry, { id, tool }: OfferedTool): ToolInfo {
    const { name } = entry.server;
    return serverTool({
      id,
      server: name,
      tool,
      hide: this.#options.hide,
      isOffered: (workspace) => entry.server.workspaceIDs.includes(workspace.id),
      connection() {
        if (entry.connection) return entry.connection;
        throw new FaultError({
          code: 'server-gone',
          what: `The tool server ${name} is not connected any more.`,
        });
      },
    });
  }

  #failed(entry: Entry, error: unknown): void {
    if (!this.#isCurrent(entry)) return;
    const address = entry.signIn?.address;
    if (error instanceof UnauthorizedError && address)
      return this.#say(entry, { state: 'sign-in', address: address.href });
    this.#say(entry, failed(entry.server, error));
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

  #say(entry: Entry, state: ServerState): void {
    entry.state = state;
    this.#changed.emit();
  }
}

function apart(server: NamedServer): readonly NamedServer[] {
  if (server.config.type === 'remote') return [server];
  return server.workspaceIDs.map((id) => ({ ...server, workspaceIDs: [id] }));
}

function keyOf({ name, config, workspaceIDs }: NamedServer): string {
  return JSON.stringify([name, config, ...(config.type === 'local' ? workspaceIDs : [])]);
}

function failed(server: NamedServer, error: unknown): ServerState {
  if (error instanceof FaultError) return { state: 'failed', fault: error.fault };
  const what = error instanceof Error ? error.message : String(error);
  if (/regist|client_id/i.test(what))
    return {
      state: 'no-client',
      fault: {
        code: 'no-client',
        what: `${server.name} registers no clients by itself: ${what}`,
        next: 'Register one there and give its client id.',
      },
    };
  const isNetwork = error instanceof TypeError && server.config.type === 'remote';
  return {
    state: 'failed',
    fault: {
      code: isNetwork ? 'unreachable' : 'server-failed',
      what: isNetwork ? `${server.name} cannot be reached from this page.` : what,
      next: isNetwork
        ? 'Check its address, and that it lets pages of other origins in (CORS).'
        : 'Check its settings, and connect again.',
    },
  };
}
