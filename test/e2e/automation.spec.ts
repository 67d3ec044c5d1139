import type { Page } from '@playwright/test';
import { start } from '../support/model-server/server.ts';
import { configure, dialog, openApp, prompt, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

/** What an expression on `vitrine` is rejected with. */
async function refusal(page: Page, expression: string): Promise<string> {
  return page.evaluate(`Promise.resolve().then(() => ${expression}).then(
    (value) => 'accepted: ' + JSON.stringify(value), (error) => String(error.message))`);
}

test('arguments that do not fit are refused by name, and change nothing', async ({ page }) => {
  await openApp(page);
  expect(await refusal(page, `vitrine.workspace.exec('ls')`)).toContain('only after configure()');
  await useScript(page, script({ text: 'Hello.' }), 'allow');
  for (const [expression, says] of [
    [`vitrine.prompt()`, 'The text of prompt()'],
    [`vitrine.prompt('x', { sesionID: 'typo' })`, 'sesionID'],
    [`vitrine.prompt('x', null)`, 'The options of prompt()'],
    [`vitrine.prompt('x', { agent: 'nobody' })`, 'There is no agent of this name. (nobody)'],
    [`vitrine.prompt('x', { sessionID: 'ses_none' })`, 'There is no session'],
    [`vitrine.onPermission('once')`, 'takes a function'],
    [`vitrine.tools.list({ agent: 'nobody' })`, 'There is no agent'],
    [`vitrine.workspace.exec()`, 'The command of workspace.exec()'],
    [`vitrine.workspace.exec('ls', { timeout: 1 })`, 'timeout'],
    [`vitrine.workspace.exec('ls', { timeoutMs: -1 })`, 'timeoutMs'],
    [`vitrine.workspace.exec('ls', { env: { A: 1 } })`, 'env'],
    [`vitrine.workspace.readFile()`, 'The path of workspace.readFile()'],
    [`vitrine.workspace.readFile('none.txt')`, /^ENOENT: no such file or directory, 'none.txt'$/],
    [`vitrine.workspace.readFile('/etc/passwd')`, 'outside the workspace'],
    [`vitrine.workspace.writeFile('a.txt')`, 'The content of workspace.writeFile()'],
    [`vitrine.workspace.writeFile('../a.txt', '')`, 'outside the workspace'],
    [`vitrine.workspace.list(1)`, 'The glob of workspace.list()'],
    [`vitrine.sessions.create({ files: { 'a.txt': 1 } })`, 'files'],
    [`vitrine.sessions.create({ files: { 'a.txt': '', '../../out.txt': '' } })`, 'outside the workspace'],
    [`vitrine.sessions.events('ses_none')`, 'There is no session'],
    [`vitrine.sessions.messages('ses_none')`, 'There is no session'],
  ] as const)
    expect(await refusal(page, expression), expression).toMatch(
      typeof says === 'string' ? new RegExp(says.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : says,
    );
  expect(await page.evaluate(() => window.vitrine.workspace.list())).toEqual([]);
  expect(await page.evaluate(() => window.vitrine.sessions.list())).toEqual([]);
  await expect(page.getByRole('navigation', { name: 'Sessions' })).not.toContainText('Workspace 2');
});

test('settings that are refused leave nothing more allowed than before', async ({ page }) => {
  await openApp(page);
  const job = script(
    { tools: [{ tool: 'write', input: { filePath: 'a.txt', content: '' } }] },
    { text: '.' },
  );
  await useScript(page, job);
  expect(
    await refusal(
      page,
      `vitrine.configure({ provider: 'scripted', model: 'x', permission: 'allow', script: 1 })`,
    ),
  ).toContain('script-invalid');
  await send(page, 'Write');
  await expect(dialog(page)).toBeVisible();
});

test('a command gets its directory, its environment and its input', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }));
  const result = await page.evaluate(async () => {
    const { workspace } = window.vitrine;
    await workspace.writeFile('sub/x.txt', '');
    return workspace.exec('pwd; echo $A; cat', { cwd: 'sub', env: { A: 'one' }, stdin: 'é\nline' });
  });
  expect(result).toEqual({ exitCode: 0, output: '/home/project/sub\none\né\nline' });
});

test.describe('abort', () => {
  const hanging = () =>
    start({
      script: { version: 1, title: 'hang', chunkDelayMs: 0, turns: [{ steps: [{ text: 'one two three' }] }] },
      // Two answers and the titles of two sessions, in any order.
      faults: [0, 1, 2, 3].map((request) => ({ request, kind: 'hang', in: 'text' }) as const),
    });
  const use = (page: Page, url: string) =>
    configure(page, { provider: 'openai-compatible', baseURL: `${url}/v1`, apiKey: 'k', model: 'm' });

  test('reaches a prompt that is only being started', async ({ page }) => {
    const server = await hanging();
    await openApp(page);
    await use(page, server.url);
    const status = await page.evaluate(async () => {
      const prompted = window.vitrine.prompt('Go');
      await window.vitrine.abort();
      return (await prompted).status;
    });
    expect(status).toBe('aborted');
    await server.close();
  });

  test('ends all that runs on the page, also what was sent by hand', async ({ page }) => {
    const server = await hanging();
    await openApp(page);
    await use(page, server.url);
    await send(page, 'By hand');
    await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('one');
    const other = await page.evaluate(() => window.vitrine.sessions.create());
    const prompted = page.evaluate(
      ({ sessionID }) => window.vitrine.prompt('By script', { sessionID }),
      other,
    );
    await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('one');
    await page.evaluate(() => window.vitrine.abort());
    expect((await prompted).status).toBe('aborted');
    for (const { id } of await page.evaluate(() => window.vitrine.sessions.list())) {
      await page.evaluate((session) => window.vitrine.sessions.open(session), id);
      await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0);
    }
    await server.close();
  });
});

test('prompt answers for its own session while another one runs', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }));
  expect((await prompt(page, 'One')).status).toBe('idle');
  const { sessionID } = await page.evaluate(() => window.vitrine.sessions.create());
  const second = await page.evaluate((id) => window.vitrine.prompt('Two', { sessionID: id }), sessionID);
  expect(second).toEqual({ sessionID, status: 'idle' });
});

test('what a command wrote is there after a reload right after it', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }), 'allow');
  await page.evaluate(() => window.vitrine.sessions.create({ files: { 'old.txt': '' } }));
  for (const round of [1, 2, 3]) {
    const made = await page.evaluate(
      (each) =>
        window.vitrine.workspace.exec(
          `echo round ${each} | tee -a kept.txt; rm old.txt; touch old.txt ${each}.txt`,
        ),
      round,
    );
    expect(made).toEqual({ exitCode: 0, output: `round ${round}\n` });
    await page.evaluate((each) => window.vitrine.workspace.remove(`${each}.txt`), round);
    await page.reload();
    await page.evaluate(() => window.vitrine.ready);
    expect(await page.evaluate(() => window.vitrine.workspace.list())).toEqual(['kept.txt', 'old.txt']);
    expect(await page.evaluate(() => window.vitrine.workspace.readFile('kept.txt'))).toBe(
      [1, 2, 3]
        .slice(0, round)
        .map((each) => `round ${each}\n`)
        .join(''),
    );
    await useScript(page, script({ text: 'Hello.' }), 'allow');
  }
});
