import { installPromptAPI, type FakeOptions } from '../support/prompt-api/fake.ts';
import { axeFindings } from './accessible.ts';
import { openSettings, send } from './app.ts';
import { expect, test } from './test.ts';

const JOB: FakeOptions = {
  availability: 'downloadable',
  answers: [
    '{"say":"I write it.","call":{"tool":"write","arguments":{"filePath":"hello.txt","content":"Hello from the tab"}}}',
    '{"say":"The file **hello.txt** is written."}',
  ],
};

test('the browser’s own model is downloaded, chosen, and writes a file after it was allowed to', async ({
  page,
}) => {
  await page.addInitScript(installPromptAPI, JOB);
  await page.goto('/');
  await openSettings(page);
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Download it' }).click();
  await settings.getByRole('button', { name: 'Use the model of this browser' }).click();
  await expect(settings.getByText('Prompts go to the model of this browser now.')).toBeVisible();
  await expect(settings.getByRole('combobox', { name: 'Provider' })).toHaveValue('browser');
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await send(page, 'Write hello.txt');
  await page.getByRole('button', { name: 'Allow once' }).click();
  const answer = page.getByRole('article').last();
  await expect(answer).toContainText('The file hello.txt is written.');
  await expect(answer.getByText('hello.txt', { exact: true }).last()).toBeVisible();

  const { created, prompted } = await page.evaluate(
    () => Reflect.get(globalThis, 'promptAPICalls') as ReturnType<typeof installPromptAPI>,
  );
  const system = created.at(-1)?.initialPrompts[0]?.content ?? '';
  const tools = [...system.matchAll(/^- (\w+)\(/gm)].map(([, name]) => name);
  expect(tools).toEqual(['bash', 'read', 'edit', 'write']);
  // A small model reads little: this leaves most of its context to the conversation.
  expect(system.length).toBeLessThan(2_500);
  expect(JSON.stringify(prompted.at(-1)?.input)).toContain('Result of write');
});

test('a browser without such a model says so, and a prompt to it names the way out', async ({ page }) => {
  await page.addInitScript(() => void Reflect.deleteProperty(globalThis, 'LanguageModel'));
  await page.goto('/');
  await openSettings(page);
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expect(settings.getByText('This browser has no such model')).toBeVisible();
  await settings.getByRole('combobox', { name: 'Provider' }).selectOption('browser');
  await settings.getByRole('button', { name: 'Test' }).click();
  await expect(settings.getByText('no language model of its own that pages can use')).toBeVisible();
});
