import { expect, test } from 'vitest';
import { timeoutTimer } from '../base/timer.ts';
import { setKnobs } from '../../test/support/webcontainer/boot.ts';
import { closedAtTheEnd } from '../../test/support/webcontainer/workspaces.ts';
import { MemoryWorkspaceRegistry } from '../storage/memory/workspace-registry.ts';
import { openEmbedded } from '../workspace/embedded/open.ts';
import { MemoryJournal } from '../workspace/memory-journal.ts';
import type { WorkspaceChange, WorkspaceRecord } from '../workspace/registry.ts';
import { ContainerRunner } from './container-runner.ts';

const record: WorkspaceRecord = {
  id: 'wsp_1',
  name: 'One',
  kind: 'embedded',
  created: 0,
  updated: 0,
  deleted: null,
  touched: false,
};

class WatchedRegistry extends MemoryWorkspaceRegistry {
  readonly #took: () => void;

  constructor(took: () => void) {
    super(async () => {});
    this.#took = took;
  }

  override async update(id: string, change: WorkspaceChange): Promise<WorkspaceRecord> {
    if (change.kind === 'webcontainer') this.#took();
    return super.update(id, change);
  }
}

/** A new workspace for which a container is tried; `took` is called just before the switch. */
async function started(took: () => void = () => {}) {
  await setKnobs({});
  const registry = new WatchedRegistry(took);
  await registry.create(record);
  let busy = false;
  let wake = () => {};
  const runner: ContainerRunner = new ContainerRunner({
    choice: () => ({ allowed: true, offBySite: false, key: '' }),
    registry,
    timer: timeoutTimer,
    ready: Promise.resolve(),
    journal: () => new MemoryJournal(),
    outside: () => ({ look: async () => null }),
    loadEmbedded: async () => (id) =>
      openEmbedded({ id, journal: new MemoryJournal(), container: document.body }),
    isBusy: () => busy,
    changed: () => wake(),
  });
  const workspace = await runner.start(record);
  closedAtTheEnd(workspace);
  return {
    runner,
    workspace,
    registry,
    busy: (is: boolean) => (busy = is),
    /** Resolves when the attempt has ended. */
    async settled() {
      while (runner.news('wsp_1')?.state === 'trying' || workspace.status.state === 'starting')
        await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}

test('a container takes over an untouched workspace', async () => {
  const { workspace, registry, settled } = await started();
  await settled();
  expect(workspace.kind).toBe('webcontainer');
  expect((await registry.get('wsp_1'))?.kind).toBe('webcontainer');
});

test('a turn that starts during the attempt keeps its workspace embedded; the container is offered afterwards', async () => {
  const { runner, workspace, registry, busy, settled } = await started(() => busy(true));
  await settled();
  expect(workspace.kind).toBe('embedded');
  expect((await registry.get('wsp_1'))?.kind).toBe('embedded');
  expect(runner.news('wsp_1')).toEqual({ state: 'offered' });
  expect(await runner.accept('wsp_1')).toBe(false);
  busy(false);
});
