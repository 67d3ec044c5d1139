import { describe, expect, test } from 'vitest';
import { serversContract } from './contract/servers.contract.ts';
import { openEmbedded } from './embedded/open.ts';
import { MemoryJournal } from './memory-journal.ts';
import { SwitchingWorkspace } from './switching.ts';
import { exec, type Workspace } from './workspace.ts';

type Optional = {
  [Name in keyof Workspace]-?: undefined extends Workspace[Name] ? Name : never;
}[keyof Workspace];

/** Whether the embedded workspace has what a workspace need not have. */
const OPTIONAL: Readonly<Record<Optional, boolean>> = {
  openShell: true,
  servers: true,
  jobs: true,
  suspend: true,
  exposed: false,
  restart: false,
};

describe('a workspace whose kind can change', () => {
  serversContract(async () => {
    const journal = new MemoryJournal();
    const open = () =>
      new SwitchingWorkspace(openEmbedded({ id: 'wsp_test', journal, container: document.body }));
    const workspace = open();
    return {
      workspace,
      terminable: true,
      shell: 'bash',
      async reopen() {
        await workspace.close();
        return open();
      },
    };
  });

  test('offers all that the workspace does, and tells of its jobs', async () => {
    const embedded = openEmbedded({ id: 'wsp_jobs', journal: new MemoryJournal(), container: document.body });
    const workspace: Workspace = new SwitchingWorkspace(embedded);
    for (const [name, isThere] of Object.entries(OPTIONAL) as [Optional, boolean][])
      expect([name, workspace[name] !== undefined]).toEqual([name, isThere]);
    let told = 0;
    const { jobs } = workspace;
    jobs?.onChange(() => told++);
    const started = await exec(workspace, 'sleep 100 &', { jobs: { owner: 'ses_a' } });
    expect(started.jobs).toHaveLength(1);
    const [job] = jobs?.list() ?? [];
    expect(job).toMatchObject({ command: 'sleep 100', owner: 'ses_a' });
    expect(told).toBeGreaterThan(0);
    await jobs?.stopAllOf('ses_a');
    await expect.poll(() => jobs?.list().map(({ end }) => end?.by)).toEqual(['person']);
    await workspace.close();
  });
});
