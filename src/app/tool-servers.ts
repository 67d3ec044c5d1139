import { FaultError } from '../base/fault.ts';
import { lazily } from '../base/lazily.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import { shellWord } from '../base/shell-word.ts';
import type { Timer } from '../base/timer.ts';
import type { SecretsOfApp } from './secrets.ts';
import type { ConfiguredServer, RemoteServer, ServerConfig } from '../config/servers.ts';
import type { McpServers, NamedServer } from '../extensions/mcp/servers.ts';
import type { KeyStore } from '../models/keys.ts';
import type { ToolInfo } from '../tools/tool.ts';
import type { AppToolServers, ToolServer } from '../ui/app.ts';
import type { ReadLimits, Workspace } from '../workspace/workspace.ts';
import { OWN_PREFIX, type ConfigurationsOfApp } from './configurations.ts';

const OWN_FILE = 'opencode.json';
/** The channel on which public/signed-in.js posts. */
const SIGN_IN_CHANNEL = 'vitrine.sign-in';
/** Faults of secrets that are missing or not allowed for the host. */
const WANTS_SECRET: ReadonlySet<string> = new Set(['no-secret', 'secret-not-allowed']);

export interface ToolServersDeps {
  readonly configurations: Pick<
    ConfigurationsOfApp,
    'all' | 'ownServers' | 'ownFiles' | 'setOwnFile' | 'onChange'
  >;
  readonly keys: KeyStore;
  readonly secrets: Pick<SecretsOfApp, 'fillUnasked' | 'onGiven'>;
  readonly timer: Timer;
  workspace(id: string): Promise<Workspace>;
  /** The limits on what a workspace's programs may read. */
  reads(workspaceID: string): ReadLimits;
  register(tool: ToolInfo): Unlisten;
}

/** The tool servers of all configurations that were read. The client code is loaded with the first server. */
export class ToolServersOfApp implements AppToolServers {
  readonly #deps: ToolServersDeps;
  readonly #changed = new Listeners<void>();
  readonly #open: () => Promise<McpServers>;
  #servers: McpServers | undefined;
  #setting: Promise<void> = Promise.resolve();
  #wanted = '[]';

  constructor(deps: ToolServersDeps) {
    this.#deps = deps;
    this.#open = lazily(() => this.#make());
    deps.configurations.onChange(() => this.#read());
    deps.keys.onChange(() => this.#changed.emit());
  }

  /** Resolves when the configured servers are connected, have failed, or take too long to wait for. */
  async settled(): Promise<void> {
    this.#read();
    await this.#setting;
    await this.#servers?.settled();
  }

  list(workspaceID: string | null): readonly ToolServer[] {
    const removable = this.#deps.configurations
      .ownServers()
      .filter(({ file }) => file === OWN_PREFIX + OWN_FILE);
    return (this.#servers?.list() ?? [])
      .filter(({ workspaceIDs }) => workspaceID === null || workspaceIDs.includes(workspaceID))
      .map(({ name, config, state }) => ({
        name,
        where: config.type === 'remote' ? config.url : config.command.join(' '),
        state,
        removable: removable.some((server) => server.name === name),
        signedIn: this.#deps.keys.get(scopeOf(name))?.includes('"access_token"') ?? false,
        remembered: this.#deps.keys.isRemembered(scopeOf(name)),
      }));
  }

  async add({ name, url, clientId }: { name: string; url: string; clientId?: string }): Promise<void> {
    const config: ServerConfig = {
      type: 'remote',
      url,
      ...(clientId !== undefined && { oauth: { clientId } }),
    };
    const { serverNameSchema, serverSchema } = await import('../config/servers.ts');
    const named = serverNameSchema.safeParse(name);
    const checked = serverSchema.safeParse(config);
    if (!named.success || !checked.success)
      throw new FaultError({
        code: 'no-server',
        what: named.success
          ? 'This is not the address of a tool server.'
          : 'This is not a name for a tool server.',
        next: named.success
          ? 'Give an https address; http only on this machine.'
          : 'Take letters, digits, - and _, beginning with a letter or digit.',
      });
    await this.#write(['mcp', name], config);
  }

  async remove(name: string): Promise<void> {
    await this.signOut(name);
    await this.#write(['mcp', name], undefined);
  }

  connect(name: string): void {
    this.#servers?.connect(name);
  }

  async signOut(name: string): Promise<void> {
    await this.#deps.keys.forget(scopeOf(name));
    await this.#servers?.signOut(name);
  }

  async setRemembered(name: string, remember: boolean): Promise<void> {
    const { keys } = this.#deps;
    const kept = keys.get(scopeOf(name));
    if (kept !== undefined) await keys.set(scopeOf(name), kept, { remember });
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  /** Fills in the secrets that the headers refer to, if the host may have them. */
  async #headersOf({ url, headers }: RemoteServer): Promise<Pick<RemoteServer, 'headers'>> {
    if (!headers) return {};
    const { host } = new URL(url);
    const filled = Object.entries(headers).map(
      async ([name, value]) => [name, await this.#deps.secrets.fillUnasked(value, host)] as const,
    );
    return { headers: Object.fromEntries(await Promise.all(filled)) };
  }

  #read(): void {
    const named = namedServers(this.#deps.configurations);
    const wanted = JSON.stringify(named);
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    this.#setting = this.#open().then(
      (servers) => servers.set(named),
      // The next step tries again.
      () => void (this.#wanted = ''),
    );
  }

  async #make(): Promise<McpServers> {
    const { McpServers } = await import('../extensions/mcp/servers.ts');
    const { keys, secrets, timer, register } = this.#deps;
    const servers = new McpServers({
      fetch: (...given) => fetch(...given),
      store: {
        get: (name) => keys.get(scopeOf(name)),
        set: (name, text) => keys.set(scopeOf(name), text, { remember: keys.isRemembered(scopeOf(name)) }),
        forget: (name) => keys.forget(scopeOf(name)),
        conceal: (secret) => keys.conceal(secret),
      },
      redirectUrl: new URL('signed-in.html', document.baseURI).href,
      clientMetadataUrl: publishedClient(),
      random: () =>
        Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) =>
          byte.toString(16).padStart(2, '0'),
        ).join(''),
      timer,
      spawn: (id, command, config) => this.#spawn(id, command, config),
      register,
      headers: async (server) => ({ ...server, ...(await this.#headersOf(server)) }),
      hide: (text) => keys.redact(text),
    });
    servers.onChange(() => this.#changed.emit());
    secrets.onGiven(() => {
      for (const { name, state } of servers.list())
        if (state.state === 'failed' && WANTS_SECRET.has(state.fault.code)) servers.connect(name);
    });
    new BroadcastChannel(SIGN_IN_CHANNEL).onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') void servers.signedIn(new URLSearchParams(data));
    };
    this.#servers = servers;
    return servers;
  }

  async #spawn(workspaceID: string, command: readonly string[], config: ServerConfig) {
    const workspace = await this.#deps.workspace(workspaceID);
    const reads = this.#deps.reads(workspaceID);
    if ((await workspace.exposed?.(reads))?.length)
      throw new FaultError({
        code: 'exposed',
        what: 'The read rules hide files here, but a program in this workspace could still read them.',
        next: 'Allow reading them, or use an embedded workspace.',
      });
    const local = config.type === 'local' ? config : undefined;
    return workspace.spawn(command.map(shellWord).join(' '), {
      reads,
      ...(local?.cwd !== undefined && { cwd: local.cwd }),
      ...(local?.environment && { env: local.environment }),
    });
  }

  #ownText(): string {
    return this.#deps.configurations.ownFiles()[OWN_FILE] ?? '';
  }

  /** Keeps comments and the order of keys. */
  async #write(path: string[], value: ServerConfig | undefined): Promise<void> {
    const { applyEdits, modify } = await import('jsonc-parser');
    const before = this.#ownText().trim() === '' ? '{}' : this.#ownText();
    const edits = modify(before, path, value, { formattingOptions: { insertSpaces: true, tabSize: 2 } });
    await this.#deps.configurations.setOwnFile(OWN_FILE, applyEdits(before, edits));
  }
}

function namedServers(
  configurations: Pick<ConfigurationsOfApp, 'all' | 'ownServers'>,
): readonly NamedServer[] {
  const named = new Map<string, NamedServer>();
  const add = ({ name, config }: ConfiguredServer, ids: readonly string[]) => {
    const key = JSON.stringify([name, config]);
    named.set(key, { name, config, workspaceIDs: [...(named.get(key)?.workspaceIDs ?? []), ...ids] });
  };
  for (const server of configurations.ownServers()) add(server, []);
  for (const [id, { servers }] of configurations.all()) for (const server of servers) add(server, [id]);
  return [...named.values()];
}

/** The site's client document, if the page is at the very site that the build was made for. */
function publishedClient(): string | undefined {
  const address = document.querySelector<HTMLMetaElement>('meta[name="client-metadata"]')?.content;
  const here = new URL('client-metadata.json', document.baseURI).href;
  return address === here ? address : undefined;
}

function scopeOf(name: string): string {
  return `server.${name}`;
}
