import { connectLocally } from '../../../test/support/local-kernel.ts';
import { workspaceContract } from '../contract.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { EmbeddedWorkspace } from './embedded-workspace.ts';

workspaceContract('embedded, on one thread', async () => {
  const journal = new MemoryJournal();
  const open = () =>
    new EmbeddedWorkspace({
      id: 'wsp_test',
      journal,
      connect: connectLocally,
      // The test starts the workers itself.
      programs: async () => ({ shell: new Blob(), search: new Blob() }),
    });
  const workspace = open();
  return {
    workspace,
    terminable: false,
    shell: 'bash',
    async reopen() {
      await workspace.close();
      return open();
    },
  };
});
