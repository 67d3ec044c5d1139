import type { Page } from '@playwright/test';
import type { Script } from '../../src/models/types.ts';
import { configure, openApp, readFile, script, send } from './app.ts';
import { expect, test } from './test.ts';

const START = { 'add.js': 'export const add = (a, b) => a - b;\n' };
const read = { tool: 'read', input: { filePath: 'add.js' } };
const edit = (newString: string) => ({
  tool: 'edit',
  input: { filePath: 'add.js', oldString: 'a - b', newString },
});

const A: Script = script({ tools: [read] }, { tools: [edit('a + b')] }, { text: 'A is done.' });
const B: Script = script(
  { tools: [read] },
  { tools: [{ tool: 'glob', input: { pattern: '*.js' } }] },
  { tools: [edit('b + a')] },
  { text: 'B is done.' },
);

async function begin(page: Page, permission: unknown): Promise<void> {
  await openApp(page);
  await configure(page, { provider: 'scripted', model: 'b', script: B, permission });
  await configure(page, { provider: 'scripted', model: 'a', script: { ...A, files: START }, permission });
  await send(page, '/compare');
  const sheet = page.getByRole('dialog', { name: 'Compare' });
  await sheet.getByRole('textbox', { name: 'Prompt' }).fill('Fix add');
  await sheet.getByRole('group', { name: 'B' }).getByRole('combobox', { name: 'Model' }).fill('b');
  await sheet.getByRole('button', { name: 'Run both' }).click();
}

test('one prompt on two models, each in its own copy: figures, steps and files stand beside each other', async ({
  page,
}) => {
  await begin(page, 'allow');
  const sheet = page.getByRole('dialog', { name: 'Compare' });
  const side = (name: string) => sheet.getByRole('region', { name: new RegExp(`^${name}: `) });
  await expect(side('A')).toContainText('A is done.');
  await expect(side('B')).toContainText('B is done.');
  const row = (name: string) =>
    sheet.getByRole('table', { name: 'Figures' }).getByRole('row', { name, exact: false });
  await expect(row('Ended').getByRole('cell')).toHaveText(['normally', 'normally', '']);
  await expect(row('Steps').getByRole('cell')).toHaveText(['3', '4', '+33%']);
  await expect(row('Files changed').getByRole('cell')).toHaveText(['1', '1', '']);
  await expect(sheet.getByRole('region', { name: 'Steps that differ' })).toContainText('*.js');
  await sheet.getByRole('checkbox', { name: 'With what they say' }).check();
  await expect(sheet.getByRole('region', { name: 'Steps that differ' })).toContainText('A is done.');
  await sheet.getByRole('button', { name: 'Compare add.js' }).click();
  const files = sheet.getByRole('region', { name: 'Files' });
  await expect(files).toContainText('a + b');
  await expect(files).toContainText('b + a');

  // The workspace that they were copied from is as it was; each copy has its own.
  await page.keyboard.press('Escape');
  expect(await readFile(page, 'add.js')).toContain('a - b');
  const sessions = page.getByRole('navigation', { name: 'Sessions' });
  await expect(sessions.getByRole('heading', { name: / · A$/ })).toBeVisible();
  await expect(sessions.getByRole('heading', { name: / · B$/ })).toBeVisible();

  // It is there again, and one side of it can be gone on with.
  const first = sessions.getByRole('listitem').first();
  await first.hover();
  await first.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Compare' }).click();
  await side('B').getByRole('link', { name: 'Open B' }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('B is done.');
  expect(await readFile(page, 'add.js')).toContain('b + a');
});

test('each side asks for itself', async ({ page }) => {
  await begin(page, { edit: 'ask' });
  const sheet = page.getByRole('dialog', { name: 'Compare' });
  const side = (name: string) => sheet.getByRole('region', { name: new RegExp(`^${name}: `) });
  for (const [name, button] of [
    ['A', 'Allow once'],
    ['B', 'Deny'],
  ] as const) {
    const answer = side(name)
      .getByRole('alertdialog', { name: 'Permission required' })
      .getByRole('button', { name: button });
    await expect(answer).toBeEnabled();
    await answer.click();
  }
  const ended = sheet.getByRole('row', { name: 'Ended' }).getByRole('cell');
  await expect(ended).toHaveText(['normally', 'denied', '']);
  await expect(sheet.getByRole('region', { name: 'Files' })).toContainText('A changed, B unchanged');
});

test('a side that the person answers as the model asks for its answer in its own pane', async ({ page }) => {
  await openApp(page);
  await configure(page, {
    provider: 'scripted',
    model: 'a',
    script: { ...A, files: START },
    permission: 'allow',
  });
  await send(page, '/compare');
  const sheet = page.getByRole('dialog', { name: 'Compare' });
  await sheet.getByRole('textbox', { name: 'Prompt' }).fill('Fix add');
  const b = sheet.getByRole('group', { name: 'B' });
  await b.getByRole('combobox', { name: 'Provider' }).selectOption({ value: 'you' });
  // The person is the only model there.
  await expect(b.getByRole('combobox', { name: 'Model' })).toHaveCount(0);
  await sheet.getByRole('button', { name: 'Run both' }).click();
  const pane = sheet.getByRole('region', { name: /^B: / });
  await pane.getByRole('textbox', { name: 'Text' }).fill('It subtracts.');
  await pane.getByRole('button', { name: 'Send the answer' }).click();
  await expect(sheet.getByRole('row', { name: 'Ended' }).getByRole('cell')).toHaveText([
    'normally',
    'normally',
    '',
  ]);
});

test('agents of the workspace can be compared, and what was trusted is trusted in both copies', async ({
  page,
}) => {
  await openApp(page);
  const files = {
    '.opencode/agents/careful.md':
      '---\ndescription: Looks twice\nmode: primary\npermission:\n  bash: allow\n---\nLook twice.\n',
  };
  const looks = { tool: 'bash', input: { command: 'touch seen', description: 'Look' } };
  const model = script({ tools: [looks] }, { text: 'Looked.' });
  await configure(page, { provider: 'scripted', model: 'a', script: { ...model, files } });
  await page
    .getByRole('group', { name: 'This workspace wants more than your settings allow.' })
    .getByRole('button', { name: 'Review' })
    .click();
  await page.getByRole('button', { name: 'Trust', exact: true }).click();
  await send(page, '/compare');
  const sheet = page.getByRole('dialog', { name: 'Compare' });
  await sheet.getByRole('textbox', { name: 'Prompt' }).fill('Look');
  const b = sheet.getByRole('group', { name: 'B' });
  await b.getByRole('combobox', { name: 'Agent' }).selectOption({ value: 'careful' });
  await sheet.getByRole('button', { name: 'Run both' }).click();
  const side = (name: string) => sheet.getByRole('region', { name: new RegExp(`^${name}: `) });
  await expect(side('B')).toContainText('Looked.');
  await expect(side('A').getByRole('alertdialog', { name: 'Permission required' })).toContainText(
    'touch seen',
  );
});
