import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApp } from '../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../test/support/stories/fake-session.ts';
import { ALSO } from './find-also.ts';
import { openPage, phone } from '../../../test/support/stories/open-page.ts';

let app: FakeApp;
const settings = page.getByRole('dialog', { name: 'Settings' });
const search = settings.getByRole('searchbox', { name: 'Search settings' });
const pages = settings.getByRole('navigation', { name: 'Pages' });

beforeEach(() => {
  app = new FakeApp();
  app.space('w', 'csv-totals');
  app.add(new FakeSession('ses_a', 'w', 'First'));
});

async function open(name?: string, size?: { width: number; height: number }): Promise<void> {
  const stores = await openPage(app, 'ses_a', size && { size });
  stores.dialogs.openSettings(name);
  await expect.element(settings).toBeVisible();
}

test('one page is shown at a time, and what was typed on another is still there', async () => {
  await open();
  await expect.element(pages.getByRole('link', { name: 'Models' })).toHaveAttribute('aria-current', 'page');
  await settings.getByLabelText('API key').fill('sk-typed');
  await pages.getByRole('link', { name: 'Appearance' }).click();
  await expect.element(settings.getByLabelText('Theme')).toBeVisible();
  await expect.element(settings.getByLabelText('API key')).not.toBeVisible();
  await pages.getByRole('link', { name: 'Models' }).click();
  await expect.element(settings.getByLabelText('API key')).toHaveValue('sk-typed');
});

test('a link names a page', async () => {
  await open('storage');
  await expect.element(settings.getByRole('heading', { name: 'Storage' })).toBeVisible();
  await expect
    .element(pages.getByRole('link', { name: 'Storage' }))
    .toHaveAttribute('href', '?settings=storage');
});

test('where there is no page of that name, the settings say so and list the pages', async () => {
  await open('nowhere');
  await expect.element(settings.getByRole('alert')).toHaveTextContent('no page “nowhere”');
  await expect.element(settings.getByLabelText('Provider')).not.toBeVisible();
  await settings.getByRole('button', { name: 'Storage' }).click();
  await expect.element(settings.getByRole('heading', { name: 'Storage' })).toBeVisible();
  await expect.element(settings.getByRole('alert')).not.toBeInTheDocument();
});

test.each([
  ['notification', 'Notify me when the agent waits or is done'],
  ['font', 'Text size'],
  ['dark mode', 'Theme'],
  ['keyboard shortcut', 'Keys'],
  ['price', 'Model'],
  ['mute', 'Play a sound then'],
  ['password', 'API key'],
  ['proxy', 'Proxy for fetching pages'],
  ['delete', 'Storage'],
  ['mcp', 'Tool servers (MCP)'],
  ['environment variable', 'Secrets'],
  ['security', 'Permissions'],
  ['version', 'Vitrine'],
  ['local', 'On this computer'],
  ['bypass', 'Permissions'],
  ['picture', 'Model'],
  ['export', 'Saved answers'],
])('a search for %s finds %s', async (query, name) => {
  await open();
  await search.fill(query);
  await expect
    .element(settings.getByRole('button', { name: new RegExp(`^${name.replace(/[()]/g, '\\$&')}`) }).first())
    .toBeVisible();
});

test.each(['allow', 'free', 'cost'])('a search for %s finds nothing twice', async (query) => {
  await open();
  await search.fill(query);
  const found = settings.getByRole('listitem').filter({ has: page.getByRole('button') });
  await expect.element(found.first()).toBeVisible();
  const texts = found.elements().map(({ textContent }) => textContent);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.filter((text) => /^(Allow|Model) *\w+$/.test(text.trim()))).toEqual([]);
});

test('each permission says what it is about, to screen readers and in the search, too', async () => {
  await open('permissions');
  const group = settings.getByRole('group', { name: 'Run commands' });
  await expect.element(group).toHaveAccessibleDescription(/programs that they start/);
  await search.fill('programs that they start');
  await expect.element(settings.getByRole('button', { name: /^Run commands/ })).toBeVisible();
});

test('the list of keys is opened from the settings', async () => {
  await open('appearance');
  await settings.getByRole('button', { name: 'Show all keys' }).click();
  await expect.element(settings).not.toBeInTheDocument();
  await expect.element(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
});

test('every word that is listed for a setting is one of a setting that is there', async () => {
  await open();
  const named = [...document.querySelectorAll<HTMLElement>('[data-page] :is(label, legend, h3)')];
  const texts = named.map(({ childNodes }) =>
    [...childNodes]
      .flatMap((node) => (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : []))
      .join(' ')
      .trim(),
  );
  // The fake app has no saved models.
  const absent = [...ALSO.keys()].filter((label) => !texts.includes(label));
  expect(absent).toEqual(['Your models', 'For titles and summaries']);
});

test('once closed, the settings leave the address that opened them', async () => {
  await open('about');
  history.replaceState(null, '', `?settings=about&prompt=x${location.hash}`);
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => location.search).toBe('?prompt=x');
  expect(location.hash).toBe('#/session/ses_a');
});

test('a search finds fields of every page by name or description, and leads to one', async () => {
  await open();
  await search.fill('TERMINAL');
  await expect.element(settings.getByRole('status').filter({ hasText: '1 setting found' })).toBeVisible();
  await settings.getByRole('button', { name: /^Code size/ }).click();
  await expect.element(settings.getByLabelText('Code size')).toHaveFocus();
  await expect.element(search).toHaveValue('');
});

test('a search leads to headings and to groups of choices', async () => {
  await open();
  await search.fill('run commands');
  await settings.getByRole('button', { name: /^Run commands/ }).click();
  await expect
    .element(settings.getByRole('group', { name: 'Run commands' }).getByRole('radio', { name: 'Allow' }))
    .toHaveFocus();
  await search.fill('saved answers');
  await settings.getByRole('button', { name: /^Saved answers/ }).click();
  await expect.element(settings.getByRole('heading', { name: 'Saved answers' })).toHaveFocus();
});

test('a search that finds nothing says so', async () => {
  await open();
  await search.fill('no such thing anywhere');
  await expect.element(settings.getByText('No setting has that in its name')).toBeVisible();
});

test('every field says what it does in a line', async () => {
  await open();
  const without = [
    ...document.querySelectorAll<HTMLElement>('[data-page] .labelled, [data-page] .check'),
  ].filter((label) => {
    const control = label.querySelector('input, select, textarea');
    return !control?.hasAttribute('aria-describedby') && !label.nextElementSibling?.matches('.hint');
  });
  expect(without.map((label) => label.textContent?.trim())).toEqual([]);
});

test('on a phone the pages are a field', async () => {
  await open(undefined, phone);
  await expect.element(pages).not.toBeInTheDocument();
  await settings.getByRole('combobox', { name: 'Page' }).selectOptions('About');
  await expect.element(settings.getByRole('link', { name: 'Third-party licences' })).toBeVisible();
});

test('where no model is set up, the notice leads to each of those that cost nothing', async () => {
  await open('no-model');
  const ways = settings.getByRole('group', { name: 'These choices cost nothing' });
  const names = ways
    .getByRole('button')
    .elements()
    .map(({ textContent }) => textContent);
  expect(names).toEqual([
    'Free models, by OpenRouter',
    'On this computer',
    'In this browser',
    'Small open models in this tab',
  ]);
  for (const name of names) {
    await ways.getByRole('button', { name }).click();
    const heading = settings.getByRole('heading', { name });
    await expect.element(heading).toHaveFocus();
    await expect.element(heading).toBeInViewport();
  }
});

test.each([
  ['refused', { code: 'sign-in-refused', what: 'It was refused there.' }, 'It was refused there.'],
  ['done', null, 'You are signed in. Prompts go to lab/tiny:free, which is free.'],
])('whoever comes back from OpenRouter is led to what came of it: %s', async (_, fault, text) => {
  app.modelChoice = null;
  app.openRouterFault = fault;
  const { dialogs } = await openPage(app, 'ses_a');
  dialogs.openSettings('sign-in', '?sign-in=state&code=code');
  const said = settings.getByText(text);
  await expect.element(said).toBeVisible();
  await expect.poll(() => document.activeElement?.contains(said.element())).toBe(true);
  expect(document.activeElement?.closest('#sign-in')).not.toBeNull();
  await expect.element(said).toBeInViewport();
});

test('a key that came without a list of models is told, and the list can be had again', async () => {
  app.modelChoice = null;
  app.openRouterFault = { code: 'bad-answer', what: 'The list cannot be read.', retryable: true };
  app.modelKeys.set('openrouter', 'tab');
  const { dialogs } = await openPage(app, 'ses_a');
  dialogs.openSettings('sign-in', '?sign-in=state&code=code');
  await expect.element(settings.getByText(/the key is kept for this tab/)).toBeVisible();
  app.openRouterFault = null;
  await settings.getByRole('button', { name: 'Try again' }).click();
  await expect.element(settings.getByText(/Prompts go to lab\/tiny:free/)).toBeVisible();
  await expect.element(settings.getByText(/the key is kept for this tab/)).not.toBeInTheDocument();
});
