import { calls, openApp, readFile, script, send, useScript } from './app.ts';
import { TerminalPage } from './terminal.ts';
import { expect, test } from './test.ts';

test('the person’s own shell on the same files, and the agent’s runs in it', async ({ page }) => {
  await openApp(page);
  await useScript(
    page,
    script(
      {
        tools: [
          {
            tool: 'bash',
            input: { command: 'echo from the agent > note.txt; cat note.txt', description: 'Write' },
          },
        ],
      },
      { text: 'Written.' },
    ),
    { bash: 'allow' },
  );
  await send(page, 'Write a note');
  await expect(calls(page, 'bash')).toHaveAttribute('data-outcome', 'ok');

  const terminal = new TerminalPage(page);
  await terminal.open();
  await terminal.expectText(/┃ agent ▸ echo from the agent[^]*┃ from the agent\n┃ exit 0/);

  await terminal.run('mkdir -p deep && cd deep');
  await terminal.expectText(/project\/deep \$$/);
  await terminal.type('cat ../no');
  await terminal.press('Tab');
  await terminal.press('Enter');
  await terminal.expectText('project/deep $ cat ../note.txt\nfrom the agent\nproject/deep $');
  await terminal.run('false');
  await terminal.expectText(/1 project\/deep \$$/);

  await terminal.run('while true; do :; done');
  await terminal.press('Control+C');
  await terminal.expectText(/\^C\n[^]*\d+ project\/deep \$$/);

  await terminal.run('cat > typed.txt');
  await terminal.run('first line');
  await terminal.press('Control+D');
  await terminal.expectText(/first line\nproject\/deep \$$/);
  expect(await readFile(page, 'deep/typed.txt')).toBe('first line\n');

  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await terminal.open();
  await terminal.press('ArrowUp');
  await terminal.expectText(/project \$ cat > typed\.txt$/);
});

test('files in the tree, live, in by the picker and out again', async ({ page }) => {
  await openApp(page);
  await page.getByRole('button', { name: 'New session' }).click();
  await page.getByRole('tab', { name: 'Files' }).click();
  const item = (name: string) => page.getByRole('treeitem', { name, exact: true });

  const picking = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add files' }).click();
  await (
    await picking
  ).setFiles([
    { name: '<img src=x>.txt', mimeType: 'text/plain', buffer: Buffer.from('<script>alert(1)</script>\n') },
    { name: 'plain.js', mimeType: 'text/javascript', buffer: Buffer.from('export const a = 1;\n') },
  ]);
  await expect(item('plain.js')).toBeVisible();
  await item('<img src=x>.txt').click();
  await expect(page.getByRole('textbox', { name: 'Text of <img src=x>.txt' })).toContainText(
    '<script>alert(1)</script>',
  );

  await item('plain.js').click();
  await expect(page.getByRole('textbox', { name: 'Text of plain.js' }).locator('span')).not.toHaveCount(0);

  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(item('plain.js')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(item('plain.js')).toBeVisible();

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download all as zip' }).click();
  expect((await saving).suggestedFilename()).toBe('project.zip');
});
