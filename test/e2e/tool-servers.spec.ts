import { mcpServer } from '../support/mcp-server/server.ts';
import {
  answer,
  calls,
  dialog,
  openApp,
  openSettings,
  script,
  send,
  showSettings,
  useScript,
  writeFile,
} from './app.ts';
import { expect, test } from './test.ts';

const steps = [{ tools: [{ tool: 'sums_add', input: { a: 20, b: 22 } }] }, { text: 'It is forty-two.' }];
const adding = { ...script(...steps), turns: [{ steps }, { steps }] };

test('the person names a tool server, signs in to it in another page, and the agent calls its tool', async ({
  page,
  context,
}) => {
  const server = await mcpServer({ protectedBy: 'registration' });
  await openApp(page);
  await useScript(page, adding);
  await writeFile(page, 'a.txt', 'a');
  await openSettings(page, 'Tools and servers');
  await page.getByLabel('Name of the server').fill('sums');
  await page.getByLabel('Address of the server').fill(server.url);
  await page.getByRole('button', { name: 'Add server' }).click();
  const listed = page.getByRole('list', { name: 'Tool servers' });
  await expect(listed).toContainText('Wants you to sign in');

  const opened = context.waitForEvent('page');
  await listed.getByRole('link', { name: /^Sign in to sums/ }).click();
  const agreeing = await opened;
  await agreeing.getByRole('link', { name: 'Agree' }).click();
  await expect(agreeing.getByText('You can close this page.')).toBeVisible();
  await expect.poll(() => new URL(agreeing.url()).search).toBe('');
  await expect(listed).toContainText('Connected, 4 tools');
  await page.keyboard.press('Escape');

  await send(page, 'Add');
  await expect(dialog(page)).toContainText('sums/add');
  await answer(page, 'Allow once');
  await expect(page.getByRole('article').last()).toContainText('It is forty-two.');
  await expect(calls(page, 'sums_add')).toHaveAttribute('data-outcome', 'ok');
  const token =
    server.requests.findLast(({ authorization }) => authorization)?.authorization?.slice('Bearer '.length) ??
    '';
  expect(token).toMatch(/^access-/);
  const [session] = await page.evaluate(() => window.vitrine.sessions.list());
  const events = await page.evaluate((id) => window.vitrine.sessions.events(id), session?.id ?? '');
  expect(JSON.stringify(events)).toContain('sums_add');
  expect(JSON.stringify(events)).not.toContain(token);
  server.close();
});

test("a workspace's tool server waits for trust", async ({ page }) => {
  const server = await mcpServer();
  await openApp(page);
  await useScript(page, adding, { 'mcp_*': 'allow' });
  await writeFile(
    page,
    'opencode.json',
    JSON.stringify({ mcp: { sums: { type: 'remote', url: server.url } } }),
  );
  await send(page, 'Add');
  await expect(page.getByRole('article').last()).toContainText('It is forty-two.');
  await expect(calls(page, 'sums_add')).toHaveAttribute('data-outcome', 'invalid');
  expect(server.requests).toEqual([]);

  const notice = page.getByRole('group', { name: 'This workspace wants more than your settings allow.' });
  await notice.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('list', { name: 'What they would allow' })).toContainText(
    `sums: ${server.url}`,
  );
  await page.getByRole('button', { name: 'Trust', exact: true }).click();
  await openSettings(page, 'Tools and servers');
  await expect(page.getByRole('list', { name: 'Tool servers' })).toContainText('Connected, 4 tools');
  await page.keyboard.press('Escape');
  await send(page, 'Add again');
  await expect(calls(page, 'sums_add').last()).toHaveAttribute('data-outcome', 'ok');
  server.close();
});

test('a header names a secret: the server gets its value once the person lets its host have it', async ({
  page,
}) => {
  const server = await mcpServer();
  await openApp(page);
  await useScript(page, script({ text: 'Here.' }));
  await openSettings(page, 'Workspace');
  await page.getByRole('button', { name: 'New file' }).click();
  const config = {
    mcp: { sums: { type: 'remote', url: server.url, headers: { Authorization: 'Bearer ${GLASS}' } } },
  };
  await page.getByLabel('Text', { exact: true }).fill(JSON.stringify(config));
  await page.getByRole('button', { name: 'Store file' }).click();
  await showSettings(page, 'Tools and servers');
  const listed = page.getByRole('list', { name: 'Tool servers' });
  await expect(listed).toContainText('There is no secret named GLASS.');

  await page.getByLabel('Name of the secret').fill('GLASS');
  await page.getByLabel('Value').fill('clear-as-day');
  await page.getByRole('button', { name: 'Store secret' }).click();
  const asked = page.getByRole('group', { name: `${new URL(server.url).host} wants the secret GLASS.` });
  await asked.getByRole('button', { name: 'Allow' }).click();
  await expect(listed).toContainText('Connected, 4 tools');
  expect(server.requests.at(-1)?.authorization).toBe('Bearer clear-as-day');
  server.close();
});
