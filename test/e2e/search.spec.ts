import type { Page } from '@playwright/test';
import { answer, calls, openApp, openSettings, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

const KEY = 'exa-e2e-secret-key';

/** Stands in the place of the service, as a browser sees it: preflight and all. */
async function exa(page: Page): Promise<string[]> {
  const keys: string[] = [];
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
  await page.route('https://api.exa.ai/**', async (route) => {
    const request = route.request();
    if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers: cors });
    keys.push((await request.headerValue('x-api-key')) ?? '');
    return route.fulfill({
      headers: cors,
      json: {
        results: [
          { title: 'A <b>page</b>', url: 'https://page.example/a', text: 'Text of it' },
          { title: 'Not a link', url: 'javascript:alert(1)' },
        ],
      },
    });
  });
  return keys;
}

const TOKEN = 'ghp_e2eSecretToken0123456789abcdefghijkl';

/** Stands in the place of GitHub; the searches and tokens it was sent. */
async function github(page: Page): Promise<string[][]> {
  const asked: string[][] = [];
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
  await page.route('https://api.github.com/**', async (route) => {
    const request = route.request();
    if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers: cors });
    const query = new URL(request.url()).searchParams.get('q') ?? '';
    asked.push([query, (await request.headerValue('authorization')) ?? '']);
    return route.fulfill({
      headers: cors,
      json: {
        total_count: 1,
        items: [
          {
            path: 'src/hook.ts',
            html_url: 'https://github.com/some/project/blob/main/src/hook.ts',
            repository: { full_name: 'some/project' },
            text_matches: [{ fragment: 'const [open, setOpen] = useState(false);' }],
          },
        ],
      },
    });
  });
  return asked;
}

const search = { tool: 'websearch', input: { query: 'new things', type: 'fast' } };

test('with a key the agent searches the web, and the card has the links; the key goes nowhere else', async ({
  page,
}) => {
  const keys = await exa(page);
  await openApp(page);
  await openSettings(page, 'Tools and servers');
  await page.getByLabel('Exa key', { exact: true }).fill(KEY);
  await page.getByRole('button', { name: 'Use the Exa key' }).click();
  await expect(page.getByRole('button', { name: 'Forget the Exa key' })).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await useScript(page, script({ tools: [search] }, { text: 'Found.' }));
  await send(page, 'Search');
  await answer(page, 'Allow once');
  await expect(page.getByRole('article').last()).toContainText('Found.');
  const card = calls(page, 'websearch');
  await expect(card).toHaveAttribute('data-outcome', 'ok');
  await card.getByRole('button').first().click();
  const links = card.getByRole('list', { name: 'Found' }).getByRole('link');
  await expect(links).toHaveCount(1);
  await expect(links).toHaveText('A <b>page</b>');
  await expect(links).toHaveAttribute('href', 'https://page.example/a');
  expect(keys).toEqual([KEY]);
  const events = await page.evaluate(async () => {
    const [session] = await window.vitrine.sessions.list();
    return JSON.stringify(await window.vitrine.sessions.events(session!.id));
  });
  expect(events).toContain('new things');
  expect(events).not.toContain(KEY);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(KEY);
});

test('without a key there is no such tool', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ tools: [search] }, { text: 'Not here.' }));
  await send(page, 'Search');
  await expect(page.getByRole('article').last()).toContainText('Not here.');
  await expect(calls(page, 'websearch')).toHaveAttribute('data-outcome', 'invalid');
});

test('with a token the agent searches code, and the card has the files; without it there is no such tool', async ({
  page,
}) => {
  const asked = await github(page);
  await openApp(page);
  const input = { query: 'useState(', language: ['TypeScript'], repo: 'some/project', path: 'src' };
  const steps = script({ tools: [{ tool: 'codesearch', input }] }, { text: 'Code found.' });
  await useScript(page, steps);
  await send(page, 'Search');
  await expect(page.getByRole('article').last()).toContainText('Code found.');
  await expect(calls(page, 'codesearch')).toHaveAttribute('data-outcome', 'invalid');
  expect(asked).toEqual([]);

  await openSettings(page, 'Tools and servers');
  await page.getByLabel('GitHub token', { exact: true }).fill(TOKEN);
  await page.getByRole('button', { name: 'Use the GitHub token' }).click();
  await expect(page.getByRole('button', { name: 'Forget the GitHub token' })).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'New session' }).click();
  await expect(page.getByRole('article')).toHaveCount(0);
  await useScript(page, steps);
  await send(page, 'Search again');
  await answer(page, 'Allow once');
  await expect(page.getByRole('article').last()).toContainText('Code found.');
  const card = calls(page, 'codesearch');
  await expect(card).toHaveAttribute('data-outcome', 'ok');
  await card.getByRole('button').first().click();
  const link = card.getByRole('list', { name: 'Found' }).getByRole('link');
  await expect(link).toHaveText('src/hook.ts');
  await expect(link).toHaveAttribute('href', 'https://github.com/some/project/blob/main/src/hook.ts');
  await expect(card).toContainText('some/project');
  expect(asked).toEqual([['"useState(" language:TypeScript repo:some/project path:src', `Bearer ${TOKEN}`]]);
  const stored = await page.evaluate(async () => {
    const all = await Promise.all(
      (await window.vitrine.sessions.list()).map(({ id }) => window.vitrine.sessions.events(id)),
    );
    return JSON.stringify([all, { ...localStorage }]);
  });
  expect(stored).toContain('useState(false)');
  expect(stored).not.toContain(TOKEN);
});
