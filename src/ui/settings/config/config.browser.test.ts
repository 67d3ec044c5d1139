import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { NO_SETUP } from '../../../agents/setup.ts';
import type { Configuration } from '../../../config/setup.ts';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';

let app: FakeApp;

const configuration: Configuration = {
  setup: NO_SETUP,
  commands: [{ name: 'review', file: '.opencode/command/review.md', template: 'x', description: 'Reviews' }],
  files: ['opencode.json'],
  rules: [{ permission: 'bash', pattern: '*', action: 'ask', file: 'opencode.json' }],
  problems: [{ file: 'opencode.json', line: 2, what: '"theme" has no effect here.', next: 'It may stay.' }],
  grants: {
    hash: 'abc',
    trusted: false,
    list: [{ file: 'opencode.json', kind: 'rule', what: 'edit *' }],
  },
  servers: [],
  providers: [],
  namesOthers: false,
};

beforeEach(async () => {
  app = new FakeApp();
  app.space('w', 'csv-totals');
  app.add(new FakeSession('ses_a', 'w', 'First'));
  app.configuration = configuration;
  await openPage(app, 'ses_a');
});

test('what a workspace would allow is trusted only after it was looked at, once', async () => {
  await expect.element(page.getByRole('button', { name: 'Do not trust' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Trust', exact: true })).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Review' }).click();
  await expect.element(page.getByRole('list', { name: 'What they would allow' })).toHaveTextContent('edit *');
  await page.getByRole('button', { name: 'Trust', exact: true }).click();
  expect(app.calls).toContainEqual(['trust', 'w', 'abc', true]);
  await expect.element(page.getByRole('button', { name: 'Do not trust' })).not.toBeInTheDocument();
});

test('code that cannot be loaded is told before and after the answer, once each', async () => {
  const broken = {
    ...{
      file: '.opencode/tool/bad.ts',
      what: 'It could not be loaded: Unexpected token.',
      failed: true as const,
    },
    next: 'Vitrine tries again when the file changes.',
  };
  app.configuration = { ...configuration, problems: [...configuration.problems, broken] };
  await page.getByRole('button', { name: 'Review' }).click();
  const list = page.getByRole('list', { name: 'What is ignored' });
  await expect
    .element(list)
    .toHaveTextContent('.opencode/tool/bad.ts: It could not be loaded: Unexpected token.');
  await expect.element(list).not.toHaveTextContent('theme');
  await page.getByRole('button', { name: 'Trust', exact: true }).click();
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(page.getByText(/bad\.ts: It could not be loaded/)).toBeVisible();
  await expect.element(page.getByText(/theme/)).not.toBeInTheDocument();
});

test('settings show the files, their rules and what is wrong with them', async () => {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Workspace' }).click();
  await expect.element(page.getByRole('list', { name: /^Active rules/ })).toHaveTextContent('bash *');
  await expect
    .element(page.getByRole('list', { name: 'What is ignored' }))
    .toHaveTextContent('opencode.json:2: "theme" has no effect here. It may stay.');
});

test('a secret is given a name, and its value is shown no more', async () => {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Tools and servers' }).click();
  await page.getByLabelText('Name of the secret').fill('TOKEN');
  await page.getByLabelText('Value').fill('very-secret');
  await page.getByRole('button', { name: 'Store secret' }).click();
  await expect.element(page.getByRole('list', { name: 'Secrets' })).toHaveTextContent('TOKEN');
  await expect.element(page.getByLabelText('Value')).toHaveValue('');
});

test('commands are offered as they are typed', async () => {
  await page.getByRole('textbox', { name: 'Message' }).fill('/re');
  await page
    .getByRole('listbox', { name: /^Commands/ })
    .getByRole('option', { name: '/review' })
    .click();
  await expect.element(page.getByRole('textbox', { name: 'Message' })).toHaveValue('/review ');
});

test('prompts go to the model that the files name, until the person chooses another for the session', async () => {
  const session = app.all[0]!;
  const prompt = async (text: string) => {
    // A message that is sent while a turn runs waits in the queue.
    if (session.state.turn) session.turnEnd();
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => session.calls.at(-1)?.[1]).toBe(text);
    return (session.calls.at(-1)?.[2] as { readonly model: unknown }).model;
  };
  expect(await prompt('one')).toEqual({ provider: 'openai', model: 'gpt-5' });
  app.configuration = {
    ...configuration,
    model: { provider: 'openai', model: 'named', file: 'opencode.json' },
  };
  app.changes.emit();
  await expect.element(page.getByRole('button', { name: /^Model:? named/ })).toBeVisible();
  expect(await prompt('two')).toEqual({ provider: 'openai', model: 'named' });
  await app.models.choose({ provider: 'openai', model: 'chosen' });
  await expect.element(page.getByRole('button', { name: /^Model:? chosen/ })).toBeVisible();
  expect(await prompt('three')).toEqual({ provider: 'openai', model: 'chosen' });
});

test('a model of the files whose provider is not set up is not used, and that is told', async () => {
  app.setUp = [];
  app.configuration = {
    ...configuration,
    model: { provider: 'openai', model: 'named', file: 'opencode.json' },
  };
  app.changes.emit();
  await expect.element(page.getByRole('button', { name: /^Model:? gpt-5/ })).toBeVisible();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Workspace' }).click();
  const told = page.getByRole('list', { name: 'What is ignored' });
  await expect.element(told).toHaveTextContent('named is not used: OpenAI is not set up in this browser.');
  app.setUp = ['openai'];
  app.changes.emit();
  await expect.element(told).not.toHaveTextContent('named is not used');
});
