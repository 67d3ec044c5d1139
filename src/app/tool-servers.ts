import { lazily } from '../base/lazily.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { ConfiguredServer } from '../config/servers.ts';
import type { McpServers, NamedServer } from '../extensions/mcp/servers.ts';
import type { AppToolServers, ToolServer } from '../ui/app.ts';
import { OWN_PREFIX } from './configurations.ts';
import { OWN_FILE, scopeOf, type ToolServersDeps } from './tool-servers-deps.ts';

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
    this.#open = lazily(async () => {
      const { openServers } = await import('./tool-server-client.ts');
      return (this.#servers = openServers(deps, () => this.#changed.emit()));
    });
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

  async add(server: { name: string; url: string; clientId?: string }): Promise<void> {
    const { addServer } = await import('./own-servers.ts');
    await addServer(this.#deps, server);
  }

  async remove(name: string): Promise<void> {
    await this.signOut(name);
    const { writeServer } = await import('./own-servers.ts');
    await writeServer(this.#deps, name, undefined);
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
}

function namedServers(configurations: ToolServersDeps['configurations']): readonly NamedServer[] {
  const named = new Map<string, NamedServer>();
  const add = ({ name, config }: ConfiguredServer, ids: readonly string[]) => {
    const key = JSON.stringify([name, config]);
    named.set(key, { name, config, workspaceIDs: [...(named.get(key)?.workspaceIDs ?? []), ...ids] });
  };
  for (const server of configurations.ownServers()) add(server, []);
  for (const [id, { servers }] of configurations.all()) for (const server of servers) add(server, [id]);
  return [...named.values()];
}
