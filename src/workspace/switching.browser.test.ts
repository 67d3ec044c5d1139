import { describe } from 'vitest';
import { serversContract } from './contract/servers.contract.ts';
import { openEmbedded } from './embedded/open.ts';
import { MemoryJournal } from './memory-journal.ts';
import { SwitchingWorkspace } from './switching.ts';

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
});
