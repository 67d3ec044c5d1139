import * as z from 'zod/mini';
import { NO_SETUP, type Setup } from '../agents/setup.ts';
import { configuredRules } from '../agents/rules.ts';
import { lazily } from '../base/lazily.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { SettingsStore } from '../base/settings-store.ts';
import type { Timer } from '../base/timer.ts';
import type { ServiceDeps } from '../extensions/custom/services.ts';
import type { ToolHooks } from '../tools/hooks.ts';
import { OWN_ROOT } from '../tools/own-files.ts';
import type { ToolInfo } from '../tools/tool.ts';
import type { CustomCode } from './custom-code.ts';
import type { ConfiguredServer } from '../config/servers.ts';
import type { Configuration } from '../config/setup.ts';
import type { WatchedConfiguration } from '../config/watched.ts';
import type { PermissionSettings } from '../permissions/settings.ts';
import { visibilityOf } from '../permissions/visibility.ts';
import type { Setups } from '../session/deps.ts';
import type { AppConfigurations, OwnFileCheck } from '../ui/app.ts';
import type { Workspace } from '../workspace/workspace.ts';

const TRUST = 'config.trust';
const OWN_FILES = 'config.own';
/** Goes in front of the paths of the person's own files. */
export const OWN_PREFIX = `${OWN_ROOT}/`;
const FETCH_MS = 5_000;
/** How long a fetched answer is reused. */
const FETCHED_MS = 10 * 60_000;
const MAX_FETCHED = 256 * 1024;

/** Maps workspace ids to the person's answers, keyed by the hash of the grants. */
const trustSchema = z.record(z.string(), z.record(z.string(), z.boolean()));
const ownFilesSchema = z.record(z.string(), z.string());

export interface ConfigurationsDeps {
  readonly settings: SettingsStore;
  workspace(id: string): Promise<Workspace>;
  permissions(): PermissionSettings;
  readonly timer: Timer;
  /** Permissions for custom tools. */
  readonly services: ServiceDeps;
  /** Called when the configuration of this workspace has changed; `null` means all workspaces. */
  changed(workspaceID: string | null): void;
  now(): number;
}

interface WatchedWorkspace {
  readonly workspace: Workspace;
  readonly watched: WatchedConfiguration;
  readonly code: CustomCode;
  readonly unlisten: Unlisten;
}

const load = lazily(() =>
  Promise.all([
    import('../config/watched.ts'),
    import('../config/files.ts'),
    import('../config/read.ts'),
    import('../config/servers.ts'),
    import('./custom-code.ts'),
  ]).then(([watched, files, read, servers, code]) => ({
    ...watched,
    ...files,
    ...read,
    ...servers,
    ...code,
  })),
);

/** The configuration files of the open workspaces and of the person, and what the person trusts. */
export class ConfigurationsOfApp implements AppConfigurations, Setups {
  readonly #deps: ConfigurationsDeps;
  readonly #changed = new Listeners<void>();
  readonly #known = new Map<string, Promise<WatchedWorkspace>>();
  readonly #current = new Map<string, Configuration>();
  readonly #codes = new Map<string, CustomCode>();
  readonly #fetched = new Map<string, { readonly at: number; readonly text: Promise<string | null> }>();
  #trust: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {};
  #own: Readonly<Record<string, string>> = {};
  #ownServers: readonly ConfiguredServer[] = [];

  constructor(deps: ConfigurationsDeps) {
    this.#deps = deps;
  }

  async load(): Promise<void> {
    const [trust, own] = await Promise.all([
      this.#deps.settings.get(TRUST),
      this.#deps.settings.get(OWN_FILES),
    ]);
    this.#trust = trustSchema.safeParse(trust ?? {}).data ?? {};
    this.#own = ownFilesSchema.safeParse(own ?? {}).data ?? {};
    await this.#rereadAll();
  }

  current(workspaceID: string): Setup {
    return this.#current.get(workspaceID)?.setup ?? NO_SETUP;
  }

  of(workspaceID: string): Configuration | null {
    const configuration = this.#current.get(workspaceID);
    if (!configuration) return null;
    const failed = this.#codes.get(workspaceID)?.problems ?? [];
    return { ...configuration, problems: [...configuration.problems, ...failed] };
  }

  /** The custom tools that are loaded in a workspace. */
  async tools({ id }: Workspace): Promise<readonly ToolInfo[]> {
    const code = this.#codes.get(id);
    if (!code) return [];
    const before = code.problems.length;
    const tools = await code.tools();
    if (code.problems.length !== before) this.#changed.emit();
    return tools;
  }

  /** The hooks that a workspace's plugins set around tool calls. */
  hooksOf(workspaceID: string): ToolHooks | undefined {
    return this.#codes.get(workspaceID)?.hooks;
  }

  all(): ReadonlyMap<string, Configuration> {
    return this.#current;
  }

  /** Tool servers from the person's own files, which do not depend on open workspaces. */
  ownServers(): readonly ConfiguredServer[] {
    return this.#ownServers;
  }

  async refresh(workspaceID: string): Promise<Setup> {
    const { watched, code } = await this.#watched(workspaceID);
    const configuration = await watched.refresh();
    code.use(configuration.grants?.trusted === true);
    if (this.#current.get(workspaceID) !== configuration) {
      this.#current.set(workspaceID, configuration);
      this.#changed.emit();
      this.#deps.changed(workspaceID);
    }
    return configuration.setup;
  }

  isAnswered(workspaceID: string): boolean {
    const hash = this.#current.get(workspaceID)?.grants?.hash;
    return hash === undefined || this.#trust[workspaceID]?.[hash] !== undefined;
  }

  async answer(workspaceID: string, hash: string, trusted: boolean): Promise<void> {
    // Only the newest answer is stored, so that trust does not return when a file gets its old contents back.
    this.#trust = { ...this.#trust, [workspaceID]: { [hash]: trusted } };
    await this.#deps.settings.set(TRUST, this.#trust);
    await this.#reread(workspaceID);
    this.#changed.emit();
  }

  /** For a workspace that was created as a copy: answers about the same grants apply there too. */
  async copyTrust(from: string, to: string): Promise<void> {
    const answered = this.#trust[from];
    if (answered) {
      this.#trust = { ...this.#trust, [to]: answered };
      await this.#deps.settings.set(TRUST, this.#trust);
    }
    await this.readAgain(to);
  }

  /** Returns once everything written to the workspace's files so far takes effect. */
  async readAgain(workspaceID: string): Promise<void> {
    (await this.#known.get(workspaceID))?.watched.invalidate();
    await this.refresh(workspaceID);
  }

  ownFiles(): Readonly<Record<string, string>> {
    return this.#own;
  }

  async setOwnFile(path: string, text: string | null): Promise<void> {
    const { [path]: _, ...rest } = this.#own;
    this.#own = text === null ? rest : { ...rest, [path]: text };
    await this.#deps.settings.set(OWN_FILES, this.#own);
    await this.#rereadAll();
    this.#deps.changed(null);
    this.#changed.emit();
  }

  async checkOwnFile(path: string, text: string): Promise<OwnFileCheck> {
    const { isUsedByName, ownConfigFiles, OWN_LAYOUT, readConfig } = await load();
    const { problems } = await readConfig(
      ownConfigFiles(() => ({ [path]: text }), ''),
      OWN_LAYOUT,
    );
    return { isUsed: isUsedByName(path), problems };
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  async #rereadAll(): Promise<void> {
    this.#ownServers = await this.#readOwnServers();
    this.#changed.emit();
    await Promise.all([...this.#known.keys()].map((id) => this.#reread(id)));
  }

  async #readOwnServers(): Promise<readonly ConfiguredServer[]> {
    if (Object.keys(this.#own).length === 0) return [];
    const { ownConfigFiles, OWN_LAYOUT, readConfig, configuredServers } = await load();
    const found = await readConfig(
      ownConfigFiles(() => this.#own, OWN_PREFIX),
      OWN_LAYOUT,
    );
    return configuredServers(found.servers);
  }

  async #reread(workspaceID: string): Promise<void> {
    const known = this.#known.get(workspaceID);
    if (!known) return;
    (await known).watched.invalidate();
    await this.refresh(workspaceID);
  }

  /** The workspace object changes when the workspace restarts or changes its kind. */
  async #watched(id: string): Promise<WatchedWorkspace> {
    const workspace = await this.#deps.workspace(id);
    const before = this.#known.get(id);
    if (before) {
      const known = await before;
      if (known.workspace === workspace) return known;
      if (this.#known.get(id) !== before) return this.#watched(id);
      known.unlisten();
      known.code.close();
    }
    const watching = this.#watch(id, workspace);
    this.#known.set(id, watching);
    watching.catch(() => this.#known.delete(id));
    return watching;
  }

  async #watch(id: string, workspace: Workspace): Promise<WatchedWorkspace> {
    const { configures, CustomCode, WatchedConfiguration, ownConfigFiles, workspaceConfigFiles } =
      await load();
    const visibility = () =>
      visibilityOf({ configured: configuredRules('build', this.#deps.permissions()), saved: [] });
    const code = new CustomCode({
      ...this.#deps.services,
      timer: this.#deps.timer,
      workspace,
      own: () => this.#own,
      rules: () => configuredRules('build', this.#deps.permissions(), [], this.current(id)),
    });
    this.#codes.set(id, code);
    const watched = new WatchedConfiguration({
      own: ownConfigFiles(() => this.#own, OWN_PREFIX),
      workspace: workspaceConfigFiles(workspace, visibility),
      isTrusted: ({ hash }) => this.#trust[id]?.[hash] === true,
      code: (plugins) => code.find(plugins),
      fetch: (address) => this.#fetch(address),
    });
    const unlisten = workspace.watch((changes) => {
      // For the page only; a step reads the configuration by itself.
      if (changes.some(({ path }) => configures(path))) void this.refresh(id).catch(() => undefined);
    });
    return { workspace, watched, code, unlisten };
  }

  #fetch(address: string): Promise<string | null> {
    const now = this.#deps.now();
    const known = this.#fetched.get(address);
    if (known && now - known.at < FETCHED_MS) return known.text;
    const text = fetchText(address);
    this.#fetched.set(address, { at: now, text });
    return text;
  }
}

async function fetchText(address: string): Promise<string | null> {
  try {
    const answer = await fetch(address.replace(/^http:/i, 'https:'), {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(FETCH_MS),
    });
    const text = answer.ok ? await answer.text() : null;
    return text !== null && text.length <= MAX_FETCHED ? text : null;
  } catch {
    return null;
  }
}
