import { answer, calls, openApp, openSettings, readFile, script, send, useScript, writeFile } from './app.ts';
import { expect, test } from './test.ts';

test('a batch shows its calls in its card, each asks for itself, and the log has all of them', async ({
  page,
}) => {
  await openApp(page);
  await writeFile(page, 'a.txt', 'one\n');
  const tools = [
    { tool: 'read', args: { filePath: 'a.txt' } },
    { tool: 'nonsense', args: {} },
    { tool: 'write', args: { filePath: 'b.txt', content: 'two\n' } },
  ];
  await useScript(page, script({ tools: [{ tool: 'batch', input: { tools } }] }, { text: 'All done.' }));
  await send(page, 'Do three things');
  await answer(page, 'Allow once');
  await expect(page.getByRole('article').last()).toContainText('All done.');
  expect(await readFile(page, 'b.txt')).toBe('two\n');

  const batch = calls(page, 'batch');
  await expect(batch).toHaveAttribute('data-outcome', 'ok');
  await expect(batch.getByRole('button').first()).toContainText('3 calls, 1 failed');
  const made = batch.getByRole('group', { name: 'Calls of this batch' });
  await expect(made.locator('[data-part="tool"]')).toHaveCount(3);
  await expect(made.locator('[data-tool="nonsense"]')).toHaveAttribute('data-outcome', 'invalid');
  await expect(calls(page, 'write')).toHaveCount(1);

  await page.getByRole('tab', { name: 'Log' }).click();
  const log = page.getByRole('tabpanel', { name: 'Log' });
  const list = log.getByRole('list', { name: 'Calls' });
  await expect(list.locator('[data-service="tool.write"][data-outcome="ok"]').first()).toBeVisible();
  await log.getByRole('searchbox', { name: 'Filter the log' }).fill('tool.nonsense');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await log.getByRole('searchbox', { name: 'Filter the log' }).fill('');
  await expect(log.getByRole('rowheader', { name: 'batch' })).toBeVisible();
  const saving = page.waitForEvent('download');
  await log.getByRole('button', { name: 'Export as JSON' }).click();
  const saved = await (await saving).createReadStream();
  const exported = JSON.parse(Buffer.concat(await saved.toArray()).toString());
  expect(exported.records.map(({ service }: { service: string }) => service)).toContain('tool.batch');
  expect(exported.metrics).toContainEqual(expect.objectContaining({ tool: 'write', count: 1 }));

  await page.reload();
  await expect(calls(page, 'batch').locator('[data-part="tool"]')).toHaveCount(3);
});

test('after a reload the log still has the calls of its session, and adds each new one once', async ({
  page,
}) => {
  await openApp(page);
  const looks = ['*.first', '*.second'].map((pattern) => ({
    steps: [{ tools: [{ tool: 'glob', input: { pattern } }] }, { text: `Looked for ${pattern}.` }],
  }));
  const twoTurns = { ...script(), turns: looks };
  await useScript(page, twoTurns, 'allow');
  await send(page, 'Look');
  await expect(page.getByRole('article').last()).toContainText('Looked for *.first.');
  await page.getByRole('tab', { name: 'Log' }).click();
  const log = page.getByRole('tabpanel', { name: 'Log' });
  const made = log.locator('[data-service="tool.glob"][data-event="call"]');
  await expect(made).toHaveCount(1);

  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await page.getByRole('tab', { name: 'Log' }).click();
  await expect(made).toHaveCount(1);
  await made.getByText('tool.glob').click();
  await expect(made).toContainText('*.first');
  await useScript(page, twoTurns, 'allow');
  await send(page, 'Look again');
  await expect(page.getByRole('article').last()).toContainText('Looked for *.second.');
  await expect(made).toHaveCount(2);
  await expect(log.locator('tr[data-tool="glob"] td').first()).toHaveText('2');
});

test('the log is a file, for the tools and the shell: of this session only, and as it stands', async ({
  page,
}) => {
  await openApp(page);
  await useScript(page, script({ tools: [{ tool: 'list', input: {} }] }, { text: 'Listed.' }), 'allow');
  await send(page, 'Elsewhere');
  await expect(page.getByRole('article').last()).toContainText('Listed.');
  const before = page.url();
  await page.getByRole('button', { name: 'New session' }).click();
  await page.waitForURL((url) => url.href !== before && url.hash.startsWith('#/session/'));
  const path = `~/.opencode/truncate/${page.url().split('/').at(-1)}/tool_log.json`;
  await useScript(
    page,
    script(
      { tools: [{ tool: 'glob', input: { pattern: '*.none' } }] },
      { tools: [{ tool: 'read', input: { filePath: path } }] },
      { tools: [{ tool: 'bash', input: { command: `grep -c tool.read ${path}` } }] },
      { text: 'Seen.' },
    ),
    'allow',
  );
  await send(page, 'Look');
  await expect(page.getByRole('article').last()).toContainText('Seen.');
  await expect(calls(page, 'bash')).toHaveAttribute('data-outcome', 'ok');
  const ends = await page.evaluate(async () => {
    const id = location.hash.split('/').at(-1) ?? '';
    return JSON.stringify(await window.vitrine.sessions.events(id));
  });
  const outputs = (JSON.parse(ends) as { type: string; output?: string; metadata?: object }[]).filter(
    ({ type }) => type === 'call.ended',
  );
  expect(outputs[1]?.output).toContain('"service": "tool.glob"');
  expect(outputs[1]?.output).toContain('"p95"');
  expect(outputs[1]?.output).not.toMatch(/"service": "tool.list",\s*"event": "call"/);
  expect(outputs[2]).toMatchObject({ metadata: { exitCode: 0 } });
});

test('an atomic batch that fails leaves every file as it was', async ({ page }) => {
  await openApp(page);
  await writeFile(page, 'a.txt', 'one\n');
  const tools = [
    { tool: 'write', args: { filePath: 'made/new.txt', content: 'new\n' } },
    { tool: 'bash', args: { command: 'echo changed > a.txt && exit 0', description: 'Change it' } },
    { tool: 'edit', args: { filePath: 'missing.txt', oldString: 'a', newString: 'b' } },
  ];
  await useScript(
    page,
    script({ tools: [{ tool: 'batch', input: { tools, atomic: true } }] }, { text: 'It failed.' }),
    { bash: 'allow', edit: 'allow' },
  );
  await send(page, 'All or nothing');
  await expect(page.getByRole('article').last()).toContainText('It failed.');
  await expect(calls(page, 'batch')).toHaveAttribute('data-outcome', 'failed');
  expect(await readFile(page, 'a.txt')).toBe('one\n');
  await expect(readFile(page, 'made/new.txt')).rejects.toThrow();
});

test('an atomic batch that a reload cuts off says what may be changed', async ({ page }) => {
  await openApp(page);
  const tools = [
    { tool: 'write', args: { filePath: 'new.txt', content: 'new\n' } },
    { tool: 'bash', args: { command: 'echo never', description: 'Wait' } },
  ];
  await useScript(page, script({ tools: [{ tool: 'batch', input: { tools, atomic: true } }] }), {
    edit: 'allow',
    bash: 'ask',
  });
  await send(page, 'All or nothing');
  await expect(page.getByRole('alertdialog', { name: 'Permission required' })).toBeVisible();
  await expect(calls(page, 'write')).toHaveAttribute('data-outcome', 'ok');
  await page.reload();
  const batch = calls(page, 'batch');
  await expect(batch).toHaveAttribute('data-outcome', 'interrupted');
  await expect(batch).toContainText('its files were not, or not all, put back');
  await expect(batch).toContainText('- write {"filePath":"new.txt"');
  expect(await readFile(page, 'new.txt')).toBe('new\n');
});

test('a batch that is switched off is not offered', async ({ page }) => {
  await openApp(page);
  await openSettings(page, 'Tools and servers');
  await page.getByRole('checkbox', { name: 'Several calls in one (batch)' }).uncheck();
  await page.getByRole('button', { name: 'Close' }).click();
  const batch = { tool: 'batch', input: { tools: [{ tool: 'list', args: {} }] } };
  await useScript(page, script({ tools: [batch] }, { text: 'So be it.' }));
  await send(page, 'Try');
  await expect(page.getByRole('article').last()).toContainText('So be it.');
  await expect(calls(page, 'batch')).toHaveAttribute('data-outcome', 'invalid');
});
