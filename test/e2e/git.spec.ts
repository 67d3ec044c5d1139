import { openApp, script, useScript } from './app.ts';
import { TerminalPage } from './terminal.ts';
import { expect, test } from './test.ts';

test('git keeps a history in the terminal, and the agent reads and extends it', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }));
  await page.evaluate(async () => {
    const { sessionID } = await window.vitrine.sessions.create({
      files: { 'a.txt': 'one\n', 'src/b.txt': 'b\n' },
    });
    await window.vitrine.sessions.open(sessionID);
  });
  const terminal = new TerminalPage(page);
  await terminal.open();
  await terminal.run(
    'git init -q && git config user.name Ada && git config user.email ada@example.com && clear',
  );
  await terminal.run('git add . && git commit -m first');
  await terminal.expectText(
    /\[main \(root-commit\) [0-9a-f]{7}\] first\n 2 files changed, 2 insertions\(\+\)/,
  );

  const exec = (command: string) =>
    page.evaluate(async (given) => (await window.vitrine.workspace.exec(given)).output, command);
  expect(await exec('git status')).toBe('On branch main\nnothing to commit, working tree clean\n');
  expect(await exec('echo two >> a.txt; git commit -qam second; git log --format="%an %s"')).toBe(
    'Ada second\nAda first\n',
  );
  expect(await exec('echo three >> a.txt; git diff --stat')).toContain('a.txt | 1 +');

  // A second look does not read the files again.
  await exec(
    'mkdir many; for i in $(seq 1 1000); do echo $i > many/$i.txt; done; git add .; git commit -qm many',
  );
  expect(await exec('git status -s; git status -s')).toBe('');
});
