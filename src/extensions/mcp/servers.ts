import { UnauthorizedError } from '@modelcontextprotocol/client';
import { unlessAborted } from '../../base/abort.ts';
import { FaultError, type Fault } from '../../base/fault.ts';
import { Listeners, type Unlisten } from '../../base/listeners.ts';
import type { Timer } from '../../base/timer.ts';
import type { ToolInfo } from '../../tools/tool.ts';
import type { Process } from '../../workspace/workspace.ts';
import { connectLocal, connectRemote, finishSignIn, type Connection } from './connection.ts';
import type { RemoteServer, ServerConfig } from '../../config/servers.ts';
import { SignIn, type CredentialStore } from './sign-in.ts';
import { offeredTools, type OfferedTool } from './offered-tools.ts';
import { connectFault, isSessionUnknown, isUnreachable, lostFault } from './server-faults.ts';
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
  /** Set while a connection is being opened. */
  opening?: Promise<void>;
  wasConnected?: true;
  isChecked?: true;
  tools: Unlisten[];
  /** The other servers that the ids of the tools were chosen for. */
  otherServers: readonly string[];
}

/** How long a step waits for servers that are connecting, in milliseconds. */
const WAIT_MS = 5_000;
/** How long it waits for those that could not be reached before and are tried again, in milliseconds. */
const RETRY_MS = 1_500;

/** Connects to the tool servers, tracks their states and registers their tools. */
export class McpServers {
  readonly #options: ServersOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #connecting = new Set<Promise<void>>();
  readonly #retrying = new Set<Promise<void>>();
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

  /**
   * Tries servers again that could not be reached. Resolves when no server is connecting any more and all lists of tools
   * have arrived, or after some seconds, so that a slow server delays no step.
   */
  async settled(): Promise<void> {
    for (const entry of this.#entries.values())
      if (mayBeBack(entry)) void this.#connect(entry, this.#retrying);
    const listings = [...this.#entries.values()].flatMap(({ connection }) => connection?.listed() ?? []);
    await Promise.all([
      this.#within(WAIT_MS, [...this.#connecting, ...listings]),
      this.#within(RETRY_MS, [...this.#retrying]),
    ]);
  }

  async #within(ms: number, awaited: readonly Promise<void>[]): Promise<void> {
    if (awaited.length === 0) return;
    let cancel = () => {};
    const late = new Promise<void>((resolve) => (cancel = this.#options.timer.after(ms, resolve)));
    await Promise.race([Promise.all(awaited), late]);
    cancel();
  }

  connect(name: string): void {
    for (const entry of this.#entries.values()) if (entry.server.name === name) void this.#connect(entry);
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
            what: `The sign-in at ${server.name} was refused${reasonOf(back)}.`,
            next: 'Connect again to be asked once more.',
          });
        await finishSignIn(server.config, signIn, this.#options.fetch, back);
        void this.#connect(entry);
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
      void this.#connect(entry);
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
    if (config.enabled !== false) void this.#connect(entry);
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    if (entry) this.#drop(entry);
  }

  #connect(entry: Entry, among = this.#connecting): Promise<void> {
    this.#disconnect(entry);
    this.#setState(entry, { state: 'connecting' });
    const opening: Promise<void> = this.#open(entry).then(
      (connection) => this.#onOpened(entry, connection, opening),
      (error: unknown) => {
        if (entry.opening === opening) this.#failed(entry, error);
      },
    );
    entry.opening = opening;
    among.add(opening);
    void opening.finally(() => {
      among.delete(opening);
      if (entry.opening === opening) delete entry.opening;
    });
    return opening;
  }

  /** Connects again without breaking off the calls that still run on the old connection. */
  #renew(entry: Entry): Promise<void> {
    void entry.connection?.retire().catch(() => undefined);
    delete entry.connection;
    return this.#connect(entry);
  }

  async #open({ server, signIn }: Entry): Promise<Connection> {
    const { config } = server;
    if (config.type === 'remote')
      return connectRemote(await this.#options.headers(config), signIn, this.#options.fetch);
    const [workspaceID = ''] = server.workspaceIDs;
    const process = await this.#options.spawn(workspaceID, config.command, config);
    return connectLocal(() => process, config.timeout);
  }

  #onOpened(entry: Entry, connection: Connection, opening: Promise<void>): void {
    if (!this.#isCurrent(entry) || entry.opening !== opening) return void connection.close();
    entry.connection = connection;
    entry.wasConnected = true;
    connection.onClose((reason) => {
      const { server } = entry;
      if (server.config.type === 'remote') return this.#lose(entry);
      this.#drop(entry);
      const hungUp = new Error(reason === '' ? 'The server closed the connection.' : reason);
      this.#setState(entry, failed(server, hungUp));
    });
    connection.onTrouble(() => void this.#check(entry, connection));
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
      connection: { call: (...given) => this.#call(entry, ...given) },
    });
  }

  /** Begins a new session where the server does not know the old one, and repeats the call, which it did not carry out. */
  async #call(entry: Entry, ...given: Parameters<Connection['call']>): ReturnType<Connection['call']> {
    const [, , { signal }] = given;
    const connection = await this.#connected(entry, signal);
    try {
      return await connection.call(...given).catch(async (error: unknown) => {
        if (!isSessionUnknown(error)) throw error;
        return (await this.#connected(entry, signal, connection)).call(...given);
      });
    } catch (error) {
      throw this.#callFault(entry, error);
    }
  }

  /** The connection, opened anew where the server may be there again or has forgotten this one. */
  async #connected(entry: Entry, signal: AbortSignal, forgotten?: Connection): Promise<Connection> {
    const { connection, server } = entry;
    if (connection && connection !== forgotten) return connection;
    if (this.#isCurrent(entry) && (entry.opening || forgotten || mayBeBack(entry)))
      await unlessAborted(signal, entry.opening ?? this.#renew(entry), () => new Error('Cancelled.'));
    const opened = this.#connectionOf(entry);
    if (opened) return opened;
    throw new FaultError(
      entry.state.state === 'failed'
        ? entry.state.fault
        : {
            code: 'server-gone',
            what: `The tool server ${server.name} is not connected any more.`,
            next: 'Settings, Tools and servers, says why.',
          },
    );
  }

  /** Read anew, because it may have changed while something was awaited. */
  #connectionOf({ connection }: Entry): Connection | undefined {
    return connection;
  }

  /**
   * Returns the error that the model is told of a failed call. A server that is gone is shown as such, and one that
   * wants more rights asks for a wider sign-in.
   */
  #callFault(entry: Entry, error: unknown): unknown {
    if (!this.#isCurrent(entry)) return error;
    const { server, signIn } = entry;
    if (server.config.type === 'remote' && isUnreachable(error)) {
      this.#lose(entry);
      return new FaultError(lostFault(server.name));
    }
    if (!(error instanceof UnauthorizedError) || !signIn?.address) return error;
    this.#setState(entry, { state: 'sign-in', address: signIn.address.href, wider: true });
    return new FaultError({
      code: 'sign-in-wanted',
      what: `${server.name} needs a sign-in with more rights for this.`,
      next: 'Sign in under Settings, Tools and servers; then try again.',
    });
  }

  /** After an error beside the calls: finds out whether the server is gone or has forgotten the session. */
  async #check(entry: Entry, connection: Connection): Promise<void> {
    if (entry.isChecked || entry.server.config.type !== 'remote') return;
    entry.isChecked = true;
    const error: unknown = await connection.ping().catch((thrown: unknown) => thrown);
    delete entry.isChecked;
    if (entry.connection !== connection || !this.#isCurrent(entry)) return;
    if (isSessionUnknown(error)) void this.#renew(entry);
    else if (isUnreachable(error)) this.#lose(entry);
  }

  /** Its tools stay, so that a call tries it again, and says which server is away. */
  #lose(entry: Entry): void {
    this.#disconnect(entry);
    this.#setState(entry, { state: 'failed', fault: lostFault(entry.server.name) });
  }

  #failed(entry: Entry, error: unknown): void {
    if (!this.#isCurrent(entry)) return;
    if (entry.wasConnected && entry.server.config.type === 'remote' && isUnreachable(error))
      return this.#lose(entry);
    this.#drop(entry);
    const address = entry.signIn?.address;
    if (error instanceof UnauthorizedError && address)
      return this.#setState(entry, { state: 'sign-in', address: address.href });
    this.#setState(entry, failed(entry.server, error));
  }

  #drop(entry: Entry): void {
    for (const unregister of entry.tools) unregister();
    entry.tools = [];
    this.#disconnect(entry);
  }

  #disconnect(entry: Entry): void {
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

function reasonOf(back: URLSearchParams): string {
  const reason = back.get('error_description')?.trim().replace(/\.$/, '') ?? '';
  return reason === '' ? '' : `: ${reason}`;
}

function failed({ name, config }: NamedServer, error: unknown): ServerState {
  const fault = connectFault(name, config, error);
  return { state: fault.code === 'no-client' ? 'no-client' : 'failed', fault };
}

/** A remote server that could not be reached may be there again; a program that ended is not started by itself. */
function mayBeBack({ server, state }: Entry): boolean {
  return server.config.type === 'remote' && state.state === 'failed' && state.fault.code === 'unreachable';
}
