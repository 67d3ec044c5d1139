import { expect, onTestFinished, test } from 'vitest';
import { workspaceContract } from '../contract.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { exec } from '../workspace.ts';
import { RuntimeBoot } from './boot.ts';
import { openWebContainer } from './open.ts';
import { timeoutTimer } from '../../base/timer.ts';

// On StackBlitz's real runtime: `npm run test:webcontainer`, which asks the questions of test/webcontainer/ before this.

const runtime = new RuntimeBoot({ timer: timeoutTimer, origin: 'https://stackblitz.com' });
const boot = () => runtime.attempt();
workspaceContract('webcontainer, the real one', async () => {
  const journal = new MemoryJournal();
  const open = () => openWebContainer({ id: 'wsp_live', journal, boot });
  const workspace = open();
  return {
    workspace,
    terminable: false,
    shell: 'jsh',
    async reopen() {
      await workspace.close();
      return open();
    },
  };
});

test('a whole install and run', { timeout: 300_000 }, async () => {
  const workspace = openWebContainer({ id: 'wsp_job', journal: new MemoryJournal(), boot });
  onTestFinished(() => workspace.close());
  await workspace.files.write(
    'package.json',
    new TextEncoder().encode('{"dependencies":{"is-odd":"3.0.1"}}'),
  );
  expect(await exec(workspace, 'npm install', { timeoutMs: 240_000 })).toMatchObject({ exitCode: 0 });
  expect(await exec(workspace, `node -e "console.log(require('is-odd')(3))"`)).toMatchObject({
    exitCode: 0,
    output: 'true\n',
  });
});
