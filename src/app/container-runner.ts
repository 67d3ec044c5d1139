import { FaultError, faultOf, type Fault } from '../base/fault.ts';
import type { Timer } from '../base/timer.ts';
import type { ContainerNews } from '../ui/app.ts';
import type { OutsideFiles } from '../workspace/embedded/outside.ts';
import type { FileJournal } from '../protocol/journal.ts';
import type { WorkspaceRecord, WorkspaceRegistry } from '../workspace/registry.ts';
import { helperText, openWebContainer } from '../workspace/webcontainer/open.ts';
import { SwitchingWorkspace } from '../workspace/switching.ts';
import { RuntimeBoot } from '../workspace/webcontainer/boot.ts';
import type {
  WebContainerOptions,
  WebContainerWorkspace,
} from '../workspace/webcontainer/webcontainer-workspace.ts';
import { exec, type Workspace } from '../workspace/workspace.ts';
import type { ContainerChoice } from './container-settings.ts';

type Client = Awaited<ReturnType<WebContainerOptions['boot']>>;

export interface ContainerRunnerDeps {
  choice(): ContainerChoice;
  readonly registry: WorkspaceRegistry;
  readonly timer: Timer;
  /** Resolves when settings are read. */
  readonly ready: Promise<unknown>;
  journal(id: string): FileJournal;
  /** The files that commands see in `~/.opencode/truncate`. */
  outside(id: string): OutsideFiles;
  /** Loads the code of embedded workspaces; resolves to a function that opens one. */
  loadEmbedded(): Promise<(id: string) => Workspace>;
  /** Whether a turn is running in the workspace. */
  isBusy(workspaceID: string): boolean;
  /** Called when the news of a workspace changes. */
  changed(): void;
}

/**
 * Manages the page's one container: which workspace has it, and how attempts to get it ended. Loaded with the first
 * attempt.
 */
export class ContainerRunner {
  readonly #deps: ContainerRunnerDeps;
  readonly #news = new Map<string, ContainerNews>();
  readonly #switching = new Map<string, SwitchingWorkspace>();
  #boot: RuntimeBoot | undefined;
  #owner: WebContainerWorkspace | undefined;
  /** A booted container that no workspace has yet. */
  #spare: Client | undefined;

  constructor(deps: ContainerRunnerDeps) {
    this.#deps = deps;
  }

  news(workspaceID: string): ContainerNews | null {
    return this.#news.get(workspaceID) ?? null;
  }

  async start({ id, kind, touched }: WorkspaceRecord): Promise<Workspace> {
    if (kind === 'webcontainer' && touched) return this.#node(id);
    const switching = new SwitchingWorkspace(
      kind === 'webcontainer' ? await this.#node(id) : (await this.#deps.loadEmbedded())(id),
    );
    this.#switching.set(id, switching);
    if (kind === 'embedded') void this.#attempt(id);
    return switching;
  }

  async retry(workspaceID: string): Promise<void> {
    await this.#attempt(workspaceID);
  }

  async accept(workspaceID: string): Promise<boolean> {
    const switching = this.#switching.get(workspaceID);
    const taken = switching !== undefined && !switching.touched && (await this.#hand(workspaceID, switching));
    this.#tell(workspaceID, null);
    return taken;
  }

  dismiss(workspaceID: string): void {
    this.#tell(workspaceID, null);
  }

  async useEmbedded(workspaceID: string): Promise<void> {
    const switching = this.#switching.get(workspaceID);
    const { registry, loadEmbedded } = this.#deps;
    if (!switching || switching.touched)
      throw new FaultError({
        code: 'workspace-touched',
        what: 'The kind of a workspace cannot change once something was changed or run in it.',
        next: 'Create a new workspace.',
      });
    const open = await loadEmbedded();
    await registry.update(workspaceID, { kind: 'embedded' });
    await switching.change(() => open(workspaceID));
  }

  async #attempt(id: string): Promise<void> {
    await this.#deps.ready;
    if (!this.#deps.choice().allowed) return;
    if (this.#owner) return this.#tell(id, { state: 'unavailable', fault: IN_USE, mayRetry: true });
    this.#tell(id, { state: 'trying' });
    const boot = this.#runtime();
    try {
      this.#spare ??= await boot.attempt();
      await this.#offerOrHand(id);
    } catch (error) {
      const fault = faultOf(error);
      this.#tell(id, { state: 'unavailable', fault, mayRetry: !LASTING.has(fault.code) });
      boot.late?.then(
        (client) => {
          if (this.#spare || this.#owner) return;
          boot.take();
          this.#spare = client;
          this.#tell(id, { state: 'offered' });
        },
        () => {},
      );
    }
  }

  async #offerOrHand(id: string): Promise<void> {
    const switching = this.#switching.get(id);
    const free = switching && !switching.touched && !this.#deps.isBusy(id) && !this.#owner;
    if (free && (await this.#hand(id, switching))) this.#tell(id, null);
    else this.#tell(id, { state: 'offered' });
  }

  async #hand(id: string, switching: SwitchingWorkspace): Promise<boolean> {
    // Its first calls must not wait for the network.
    await helperText();
    if (switching.touched || switching.status.state === 'closed') return false;
    const container = this.#open(id);
    try {
      await check(container);
      await this.#deps.registry.update(id, { kind: 'webcontainer' });
      // A turn may have started meanwhile, and its model was told what the other kind can do.
      if (!this.#deps.isBusy(id) && (await switching.change(() => container))) return true;
    } catch (error) {
      await container.close();
      throw error;
    }
    await container.close();
    await this.#deps.registry.update(id, { kind: 'embedded' }).catch(() => {});
    return false;
  }

  async #node(id: string): Promise<WebContainerWorkspace> {
    await this.#deps.ready;
    return this.#open(id);
  }

  #open(id: string): WebContainerWorkspace {
    const { journal, outside, timer } = this.#deps;
    const workspace: WebContainerWorkspace = openWebContainer({
      id,
      journal: journal(id),
      outside: outside(id),
      timer,
      boot: () => this.#clientFor(() => workspace),
      lost: () => this.#boot?.abandon(),
    });
    workspace.onStatus(({ state }) => {
      if ((state === 'closed' || state === 'failed') && this.#owner === workspace) this.#owner = undefined;
    });
    return workspace;
  }

  async #clientFor(workspace: () => WebContainerWorkspace): Promise<Client> {
    // The workspace calls this while it is being constructed.
    await Promise.resolve();
    const mine = workspace();
    const { allowed, offBySite } = this.#deps.choice();
    if (!allowed) throw new FaultError(offBySite ? OFF_BY_SITE : NOT_ALLOWED);
    if (this.#owner && this.#owner !== mine && !(await this.#owner.suspend())) throw new FaultError(IN_USE);
    this.#owner = mine;
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare) return spare;
    try {
      return await this.#runtime().attempt();
    } catch (error) {
      if (this.#owner === mine) this.#owner = undefined;
      const { code, what, next = '' } = faultOf(error);
      throw new FaultError({ code, what: `${what} ${next}`.trim() });
    }
  }

  #runtime(): RuntimeBoot {
    const { key } = this.#deps.choice();
    this.#boot ??= new RuntimeBoot({
      timer: this.#deps.timer,
      origin: 'https://stackblitz.com',
      ...(key !== '' && { key }),
    });
    return this.#boot;
  }

  #tell(id: string, news: ContainerNews | null): void {
    if (news) this.#news.set(id, news);
    else this.#news.delete(id);
    this.#deps.changed();
  }
}

/** A container takes over only once it has done one of each thing that a workspace is for. */
async function check(container: Workspace): Promise<void> {
  await container.files.list('');
  const { output } = await exec(container, 'echo ready', { timeoutMs: CHECK_MS });
  if (!output.includes('ready'))
    throw new FaultError({
      code: 'webcontainer-check-failed',
      what: `A WebContainer started, but its first command answered "${output.slice(0, 100)}".`,
      next: 'The workspace stays embedded.',
    });
}

const CHECK_MS = 20_000;

/** Faults that do not change while the page is open, so that trying again would not help. */
const LASTING = new Set(['webcontainer-not-isolated', 'webcontainer-phone']);

const IN_USE: Fault = {
  code: 'webcontainer-in-use',
  what: 'This page’s only WebContainer is busy in another workspace.',
  next: 'Stop what runs there, or open this workspace in another tab.',
};

const NOT_ALLOWED: Fault = {
  code: 'webcontainer-not-allowed',
  what: 'WebContainers from StackBlitz are turned off in Settings.',
  next: 'Turn them on there, or use the embedded workspace.',
};

const OFF_BY_SITE: Fault = {
  code: 'webcontainer-off',
  what: 'The owner of this site has switched WebContainers off.',
  next: 'Use the embedded workspace.',
};
