import { bootOnHost } from '../../../test/support/webcontainer/boot.ts';
import { workspaceContract } from '../contract.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { openWebContainer } from './open.ts';

workspaceContract('webcontainer, on the test host', async () => {
  const journal = new MemoryJournal();
  const open = () => openWebContainer({ id: 'wsp_test', journal, boot: () => bootOnHost() });
  const workspace = open();
  return {
    workspace,
    terminable: true,
    shell: 'jsh',
    async reopen() {
      await workspace.close();
      return open();
    },
  };
});
