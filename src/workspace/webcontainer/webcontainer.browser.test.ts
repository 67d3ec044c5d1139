import { bootOnHost } from '../../../test/support/webcontainer/boot.ts';
import type { Knobs } from '../../../test/support/webcontainer/knobs.ts';
import { workspaceContract } from '../contract.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { openWebContainer } from './open.ts';

const hosts: Readonly<Record<string, Partial<Knobs>>> = {
  'webcontainer, on the test host': {},
  'webcontainer, in a terminal that echoes': { echo: 'caret', outputEnds: true },
};

for (const [name, knobs] of Object.entries(hosts))
  workspaceContract(name, async () => {
    const journal = new MemoryJournal();
    const open = () => openWebContainer({ id: 'wsp_test', journal, boot: () => bootOnHost(knobs) });
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
