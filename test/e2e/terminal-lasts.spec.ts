import type { Page } from '@playwright/test';
import { openApp, script, useScript } from './app.ts';
import { TerminalPage } from './terminal.ts';
import { expect, test } from './test.ts';

const SERVER = `let asked = 0;
require('node:http')
  .createServer((request, response) => {
    console.log('asked ' + ++asked);
    response.end('answer ' + asked);
  })
  .listen(3000, () => console.log('listening'));
`;

const create = (page: Page, files: Record<string, string>) =>
  page.evaluate(async (given) => (await window.vitrine.sessions.create({ files: given })).sessionID, files);
const open = (page: Page, id: string) => page.evaluate((given) => window.vitrine.sessions.open(given), id);
/** Returns the server's answer to a command that runs as the agent's commands do. */
const ask = (page: Page) =>
  page.evaluate(async () => (await window.vitrine.workspace.exec('curl -s localhost:3000')).output);
/** The keys are the page's own while the terminal does not have the keyboard. */
async function toggleWorkbench(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.press('Control+\\');
}

test('a server of the terminal answers after a look at other workspaces, and its screen is there', async ({
  page,
}) => {
  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }));
  const first = await create(page, { 'server.js': SERVER });
  const terminal = new TerminalPage(page);
  await terminal.open();
  await terminal.run('node server.js');
  await terminal.expectText('project $ node server.js\nlistening');

  // More than stay ready by themselves.
  let other = '';
  for (let number = 0; number < 5; number++) other = await create(page, { 'n.txt': `${number}` });
  await terminal.expectText(/^project \$$/);
  await terminal.run('echo elsewhere');
  await terminal.expectText('project $ echo elsewhere\nelsewhere\nproject $');

  await open(page, first);
  await terminal.expectText('project $ node server.js\nlistening');
  expect(await ask(page)).toBe('answer 1');
  await terminal.expectText('listening\nasked 1');
  await open(page, other);
  await terminal.expectText('project $ echo elsewhere\nelsewhere\nproject $');
  await open(page, first);
  // Until its screen is there, the keyboard is that of the other terminal.
  await terminal.expectText('listening\nasked 1');
  await terminal.press('Control+C');
  await terminal.expectText(/asked 1\n\^C\n130 project \$$/);
});

test('a terminal that shows its prompt keeps no workspace ready, and has its screen and directory again', async ({
  page,
}) => {
  await openApp(page);
  const first = await create(page, { 'sub/x.txt': 'x' });
  const terminal = new TerminalPage(page);
  await terminal.open();
  await terminal.run('cd sub; echo kept');
  await terminal.expectText(/kept\nproject\/sub \$$/);
  for (let number = 0; number < 5; number++) await create(page, { 'n.txt': `${number}` });
  await expect(page.locator('iframe[title="Workspace"]')).toHaveCount(3);
  await open(page, first);
  await terminal.expectText(/kept\n[^]*was closed while its workspace[^]*project\/sub \$$/);
  await terminal.run('ls');
  await terminal.expectText(/\$ ls\nx\.txt\nproject\/sub \$$/);
});

test('a server of the terminal answers while its panel is hidden, and where the page turns narrow', async ({
  page,
}) => {
  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }));
  await create(page, { 'server.js': SERVER });
  const terminal = new TerminalPage(page);
  await terminal.open();
  await terminal.run('node server.js');
  await terminal.expectText('listening');

  const region = page.getByRole('region', { name: 'Terminal' });
  await toggleWorkbench(page);
  await expect(region).toBeHidden();
  expect(await ask(page)).toBe('answer 1');
  await toggleWorkbench(page);
  await terminal.expectText('listening\nasked 1');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('tab', { name: 'Chat' }).click();
  await expect(region).toBeHidden();
  expect(await ask(page)).toBe('answer 2');
  await page.getByRole('tab', { name: 'Terminal' }).click();
  await terminal.expectText('listening\nasked 1\nasked 2');
});
