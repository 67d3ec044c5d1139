import { pageClock, pageIds } from '../../base/clock.ts';
import { lazily } from '../../base/lazily.ts';
import { webLocks } from '../../storage/locks.ts';
import type { OutsideFiles } from '../../workspace/embedded/outside.ts';
import type { WorkspaceKind } from '../../workspace/workspace.ts';
import { ContainerSettings } from '../container-settings.ts';
import { Containers } from '../containers.ts';
import { reachOf } from '../reach/reach.ts';
import { Workspaces } from '../workspaces.ts';
import type { Parts } from './parts.ts';

export function createContainers(parts: Parts): Containers {
  const { hosts, toolLog, configurations, options } = parts;
  const { container, timer, storage } = options;
  const reachFor = reachOf({
    hosts: () => hosts.hosts(),
    ask: (url, over) => hosts.ask(url, over),
    gitHub: { token: () => parts.web.key('github'), ask: (use, over) => hosts.askToken(use, over) },
    container,
    timer,
  });
  // Fetched when a shell first looks there, because the first page has no shell.
  const load = lazily(() => import('../outputs-outside.ts'));
  const outside = (id: string): OutsideFiles => ({
    async look(path) {
      const { outputsOutside } = await load();
      const live = () => parts.sessions.live();
      const own = () => configurations.ownFiles();
      return outputsOutside(id, live, storage.blobs, toolLog.files, own).look(path);
    },
  });
  const settings = new ContainerSettings(storage.settings, options.containersOff);
  const ready = settings.load();
  return new Containers(settings, {
    registry: storage.workspaces,
    timer,
    ready,
    journal: (id) => storage.journal(id),
    outside,
    loadEmbedded: async () => {
      const { openEmbedded } = await import('../../workspace/embedded/open.ts');
      return (id) =>
        openEmbedded({
          ...{ id, container, timer, journal: storage.journal(id), outside: outside(id) },
          reach: reachFor(id),
        });
    },
    isBusy: (id) => isBusy(parts, id),
  });
}

export function createWorkspaces(parts: Parts): Workspaces {
  const { containers, channel, options } = parts;
  return new Workspaces({
    registry: options.storage.workspaces,
    locks: webLocks(),
    clock: pageClock,
    ids: pageIds,
    kind: options.kind,
    tryContainer: (id) => containers.tryFor(id),
    start: (record) => containers.start(record),
    closeSessions: (id) => parts.sessions.closeWorkspace(id),
    closeFollowers: (id) => parts.sessions.closeFollowers(id),
    isBusy: (id) => isBusy(parts, id),
    isFollowed: (id) =>
      parts.sessions.live().some(({ writable, state }) => !writable && state.workspaceID === id),
    timer: options.timer,
    changed: () => channel.sendChanged('workspaces'),
  });
}

/** Whether a turn runs in the workspace. */
function isBusy({ sessions }: Parts, id: string): boolean {
  return sessions.live().some(({ state }) => state.workspaceID === id && state.turn !== null);
}

/** Creates a workspace with these files and returns its id. By default, it is of the kind from the address. */
export async function workspaceWith(
  { workspaces, options }: Pick<Parts, 'workspaces' | 'options'>,
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
  name?: string,
  // A workspace with files keeps its kind, so there is nothing to try.
  kind: WorkspaceKind = options.kind === 'webcontainer' ? options.kind : 'embedded',
): Promise<string> {
  const { id } = await workspaces.create({ kind, ...(name !== undefined && { name }) });
  try {
    const workspace = await workspaces.open(id);
    const encoder = new TextEncoder();
    await Promise.all(
      Object.entries(files).map(([path, content]) =>
        workspace.files.write(path, typeof content === 'string' ? encoder.encode(content) : content),
      ),
    );
  } catch (error) {
    await workspaces.delete(id);
    throw error;
  }
  return id;
}
