import { workspaceContract } from '../contract.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { openEmbedded } from './open.ts';

workspaceContract('embedded, in its frame', async () => {
  const journal = new MemoryJournal();
  const open = () => openEmbedded({ id: 'wsp_test', journal, container: document.body });
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
