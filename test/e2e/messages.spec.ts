import type { Page } from '@playwright/test';
import { axeFindings } from './accessible.ts';
import { calls, openApp, readFile, script, send, useScript, writeFile } from './app.ts';
import { TerminalPage } from './terminal.ts';
import { expect, test } from './test.ts';

const conversation = (page: Page) => page.getByRole('log', { name: 'Conversation' });
const message = (page: Page, text: string) =>
  conversation(page)
    .getByRole('article', { name: 'You' })
    .filter({ has: page.getByText(text, { exact: true }) });
const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const queue = (page: Page) => page.getByRole('region', { name: 'Queued messages' });
const rested = (page: Page) => expect(button(page, 'Stop')).toHaveCount(0);
const bash = (command: string) => ({
  tools: [{ tool: 'bash', input: { command, description: 'Run it' } }],
});

/** No part of the page is wider than the page, and nothing about it hinders assistive technology. */
async function looksRight(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(await axeFindings(page, { within: 'main' })).toEqual([]);
}

test('code of an answer becomes a file, and a command runs in the terminal once that is said', async ({
  page,
}) => {
  await openApp(page);
  const text = 'Do this:\n\n```python\nprint(1)\n```\n\nand then:\n\n```sh\necho from-$((40 + 2))\n```\n';
  await useScript(page, { ...script({ text }), files: { 'code.py': 'mine\n' } });
  await send(page, 'How?');
  const figure = (code: string) => conversation(page).getByRole('figure').filter({ hasText: code });

  await figure('print(1)').getByRole('button', { name: 'Save as a file' }).click();
  const path = page.getByRole('textbox', { name: 'Path of the file' });
  await expect(path).toHaveValue('code-2.py');
  await path.fill('code.py');
  await page.keyboard.press('Enter');
  await expect(page.getByText('code.py exists already. Should it be replaced?')).toBeVisible();
  await looksRight(page);
  expect(await readFile(page, 'code.py')).toBe('mine\n');
  await path.fill('src/one.py');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Files' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('tab', { name: 'one.py' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('textbox', { name: 'Text of src/one.py' })).toBeFocused();
  await expect(page.getByRole('treeitem', { name: 'one.py' })).toHaveAttribute('aria-selected', 'true');
  expect(await readFile(page, 'src/one.py')).toBe('print(1)\n');

  await figure('echo from').getByRole('button', { name: 'Run in the terminal' }).click();
  await expect(page.getByLabel('Command to run')).toHaveText('echo from-$((40 + 2))');
  await looksRight(page);
  await button(page, 'Run').click();
  const terminal = new TerminalPage(page);
  await terminal.expectText(/from-42/);
  await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeFocused();

  // A program that runs there would read the next command as its input.
  await terminal.run('sleep 60');
  await figure('echo from').getByRole('button', { name: 'Run in the terminal' }).click();
  await button(page, 'Run').click();
  await expect(page.getByText('Something still runs in your terminal.')).toBeVisible();
  await button(page, 'Cancel').click();
  await expect(figure('echo from').getByRole('button', { name: 'Run in the terminal' })).toBeFocused();
});

test('the last answer can be had again, and the newest message deleted', async ({ page }) => {
  await openApp(page);
  const write = (content: string, says: string) => ({
    when: '^Write',
    steps: [{ tools: [{ tool: 'write', input: { filePath: 'a.txt', content } }] }, { text: says }],
  });
  const turns = [{ when: '^Hello', steps: [{ text: 'Hi.' }] }, write('one\n', 'First try.')];
  await useScript(page, { ...script(), turns: [...turns, write('two\n', 'Second try.')] }, 'allow');
  await send(page, 'Hello');
  await expect(conversation(page)).toContainText('Hi.');
  await send(page, 'Write');
  await expect(conversation(page)).toContainText('First try.');
  await rested(page);

  await expect(button(page, 'Retry')).toHaveCount(1);
  await button(page, 'Retry').click();
  await expect(conversation(page)).not.toContainText('Hi.First');
  await expect(message(page, 'Write').getByText('Version 2 of 2')).toBeAttached();
  await rested(page);
  await message(page, 'Write').getByRole('button', { name: 'Previous version' }).click();
  await expect(conversation(page)).toContainText('First try.');
  expect(await readFile(page, 'a.txt')).toBe('one\n');

  await expect(message(page, 'Hello').getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await message(page, 'Write').getByRole('button', { name: 'Delete' }).click();
  await expect(message(page, 'Write')).toHaveCount(0);
  await expect(box(page)).toBeFocused();
  expect(await readFile(page, 'a.txt')).toBe('one\n');
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(conversation(page)).toContainText('First try.');
});

test('a command of the person is shown, can be stopped, and goes to the model with the next message', async ({
  page,
}) => {
  await openApp(page);
  await useScript(page, script({ text: 'I see.' }));
  await writeFile(page, 'notes.txt', 'milk\n');
  await send(page, '!cat notes.txt');
  await expect(message(page, 'You ran a command')).toBeVisible();
  await expect(calls(page, 'bash')).toHaveAttribute('data-outcome', 'ok');
  await expect(calls(page, 'bash')).toContainText('milk');
  await looksRight(page);

  await send(page, '!echo began; sleep 60');
  await expect(calls(page, 'bash').last()).toContainText('began');
  await button(page, 'Stop').click();
  await expect(calls(page, 'bash').last()).toHaveAttribute('data-outcome', 'cancelled');
  await rested(page);

  await send(page, 'What is in it?');
  await expect(conversation(page)).toContainText('I see.');
  await expect(page.getByRole('navigation', { name: 'Sessions' })).toContainText('What is in it?');
  await page.getByRole('tab', { name: 'Inspector' }).click();
  const events = await page.evaluate(async () => {
    const { sessions } = window.vitrine;
    const [{ id } = { id: '' }] = await sessions.list();
    return JSON.stringify(await sessions.events(id));
  });
  expect(events).toContain('"origin":{"kind":"command"}');
  expect(events).toContain('<command-run-by-the-user>');
  expect(events).toContain('$ cat notes.txt');
});

test('messages wait in a list while the agent works, and one can go out at once', async ({ page }) => {
  await openApp(page);
  const turns = [
    { when: '^Begin', steps: [bash('while [ ! -e go ]; do sleep 0.1; done'), { text: 'Through.' }] },
    { when: '^one', steps: [{ text: 'One it is.' }] },
    { when: '^2', steps: [{ text: 'Two it is.' }] },
    { when: '^Wait', steps: [bash('sleep 60')] },
    { when: '^now', steps: [{ text: 'At once.' }] },
  ];
  await useScript(page, { ...script(), turns }, 'allow');
  await send(page, 'Begin');
  await expect(button(page, 'Stop')).toBeVisible();
  for (const text of ['one', 'two', 'three']) await send(page, text);
  await expect(queue(page).getByRole('listitem')).toHaveCount(3);
  await expect(queue(page)).toContainText('3 messages go out after this step');
  await looksRight(page);
  const row = (index: number) => queue(page).getByRole('listitem').nth(index);
  await row(1).getByRole('button', { name: 'Move up' }).press('Enter');
  await expect(row(0)).toContainText('two');
  await row(0).getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Edit the queued message' }).fill('2');
  await page.keyboard.press('Enter');
  await row(2).getByRole('button', { name: 'Remove' }).click();
  await expect(queue(page).getByRole('listitem')).toHaveCount(2);
  await writeFile(page, 'go', '');
  await expect(conversation(page)).toContainText('One it is.');
  await expect(queue(page)).toHaveCount(0);
  const said = await conversation(page).getByRole('article', { name: 'You' }).allTextContents();
  expect(said.map((text) => text.trim())).toEqual(['Begin', '2', 'one']);
  await rested(page);

  await send(page, 'Wait');
  await expect(calls(page, 'bash').last()).toHaveAttribute('data-status', 'running');
  await send(page, 'later');
  await send(page, 'now');
  await row(1).getByRole('button', { name: 'Send now' }).click();
  await expect(conversation(page)).toContainText('At once.');
  await expect(calls(page, 'bash').last()).toHaveAttribute('data-outcome', 'cancelled');
});

test('what waits and what was sent is still there after a reload', async ({ page }) => {
  await openApp(page);
  const turns = [{ steps: [bash('sleep 60')] }, { when: '^later', steps: [{ text: 'Here.' }] }];
  await useScript(page, { ...script(), turns }, 'allow');
  await send(page, 'first\nin two lines');
  await expect(button(page, 'Stop')).toBeVisible();
  await send(page, 'later');
  await expect(queue(page)).toContainText('later');
  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await expect(queue(page)).toContainText('1 message waits for you to send it');
  await box(page).focus();
  await expect(page.locator('[data-history]')).toBeAttached();
  // What only waits is in the list of messages that wait, and not among those that were sent.
  await page.keyboard.press('ArrowUp');
  await expect(box(page)).toHaveValue('first\nin two lines');
  await page.keyboard.press('ArrowDown');
  await expect(box(page)).toHaveValue('');
});

for (const theme of ['light', 'dark'] as const)
  test(`on a phone, ${theme}, the forms and the list fit`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 700 });
    await page.emulateMedia({ colorScheme: theme });
    await openApp(page);
    const text =
      '```bash\nnpm install --save-dev a-package-with-a-long-name another-package && npm test\n```\n';
    const turns = [{ when: '^How', steps: [{ text }] }, { steps: [bash('sleep 60')] }];
    await useScript(page, { ...script(), turns }, 'allow');
    await send(page, 'How?');
    await button(page, 'Save as a file').click();
    await expect(page.getByRole('textbox', { name: 'Path of the file' })).toHaveValue('script.sh');
    await looksRight(page);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/save-${theme}.png` });
    await button(page, 'Run in the terminal').click();
    await expect(page.getByLabel('Command to run')).toBeVisible();
    await looksRight(page);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/run-${theme}.png` });
    await button(page, 'Cancel').click();
    await send(page, '!echo hello && exit 3');
    await rested(page);
    await send(page, 'Work');
    await expect(button(page, 'Stop')).toBeVisible();
    await send(page, 'And a message that is long enough to need more than the one line that it gets');
    await send(page, 'two');
    await expect(queue(page).getByRole('listitem')).toHaveCount(2);
    await looksRight(page);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/queue-${theme}.png` });
    await queue(page).getByRole('button', { name: 'Edit' }).first().click();
    await looksRight(page);
  });
