import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { AppContainers, ContainerNews } from '../ui/app.ts';
import type { WorkspaceRecord } from '../workspace/registry.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ContainerRunner, ContainerRunnerDeps } from './container-runner.ts';
import type { ContainerChoice, ContainerSettings } from './container-settings.ts';

export type ContainersDeps = Omit<ContainerRunnerDeps, 'choice' | 'changed'>;

/** WebContainers for the page. Nothing is loaded before one is wanted. */
export class Containers implements AppContainers {
  readonly #deps: ContainersDeps;
  readonly #settings: ContainerSettings;
  readonly #changed = new Listeners<void>();
  readonly #automatic = new Set<string>();
  #loading: Promise<ContainerRunner> | undefined;
  #runner: ContainerRunner | undefined;

  constructor(settings: ContainerSettings, deps: ContainersDeps) {
    this.#settings = settings;
    this.#deps = deps;
    settings.onChange(() => this.#changed.emit());
  }

  choice(): ContainerChoice {
    return this.#settings.current();
  }

  choose(change: { readonly allowed?: boolean; readonly key?: string }): Promise<void> {
    return this.#settings.set(change);
  }

  news(workspaceID: string): ContainerNews | null {
    return this.#runner?.news(workspaceID) ?? null;
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  /** Marks a new workspace so that a container is tried when it is opened. */
  tryFor(workspaceID: string): void {
    this.#automatic.add(workspaceID);
  }

  async start(record: WorkspaceRecord): Promise<Workspace> {
    const isTried = this.#automatic.delete(record.id) && (await this.#mayAsk());
    if (record.kind === 'embedded' && !isTried) return (await this.#deps.loadEmbedded())(record.id);
    return (await this.#load()).start(record);
  }

  async retry(workspaceID: string): Promise<void> {
    await (await this.#load()).retry(workspaceID);
  }

  async accept(workspaceID: string): Promise<boolean> {
    return (await this.#load()).accept(workspaceID);
  }

  dismiss(workspaceID: string): void {
    this.#runner?.dismiss(workspaceID);
  }

  async useEmbedded(workspaceID: string): Promise<void> {
    await (await this.#load()).useEmbedded(workspaceID);
  }

  /** Starts to load the code of embedded workspaces, so that the first one opens sooner. */
  warm(): void {
    void this.#deps.loadEmbedded().catch(() => undefined);
  }

  async #mayAsk(): Promise<boolean> {
    await this.#deps.ready;
    return this.choice().allowed;
  }

  #load(): Promise<ContainerRunner> {
    this.#loading ??= import('./container-runner.ts').then(({ ContainerRunner }) => {
      this.#runner = new ContainerRunner({
        ...this.#deps,
        choice: () => this.choice(),
        changed: () => this.#changed.emit(),
      });
      return this.#runner;
    });
    this.#loading.catch(() => (this.#loading = undefined));
    return this.#loading;
  }
}
