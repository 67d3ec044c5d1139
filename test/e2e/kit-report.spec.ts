import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { axeFindings, stumblingBlocks } from './accessible.ts';
import { KitProject, test } from './kit-project.ts';
import { expect } from './test.ts';

test.describe.configure({ mode: 'default' });

let kit: KitProject;
test.beforeAll(async ({ packedKit }) => {
  kit = await KitProject.make(packedKit);
  await writeFile(path.join(kit.folder, 'broken.spec.ts'), BROKEN);
  // The tests fail, and so does the command.
  const { stdout } = await kit
    .run('node_modules/@playwright/test/cli.js', 'test', 'broken', '--reporter=html')
    .catch((error: { stdout: string }) => error);
  expect(stdout).toContain('2 failed');
});
test.afterAll(() => kit.remove());

const HOSTILE = '</script><script>document.title = "taken"</script><!--<script>';
const BROKEN = `import { expect, test } from 'vitrine/playwright';
test.use({
  trace: 'retain-on-failure',
  launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox'] },
  vitrine: { permission: 'allow', files: { 'add.mjs': 'export const add = (a, b) => a - b;' } },
});
test('mends the sum', async ({ agent, model }) => {
  await model.script([
    { tools: [{ tool: 'read', input: { filePath: 'add.mjs' } }] },
    { tools: [{ tool: 'task', input: { description: 'Look', prompt: 'Look around', subagent_type: 'general' } }] },
    { text: 'It looks right to me.' },
  ]);
  await agent.prompt('The sum is wrong: mend it');
  await expect(agent).toHaveCalled('edit');
});
test('says what it must not', async ({ agent, model }) => {
  await model.script([{ text: ${JSON.stringify(HOSTILE)} }]);
  await agent.prompt(${JSON.stringify(HOSTILE)});
  await expect(agent).toHaveSaid('Nothing.');
});
`;

/** Opens the report of a test, follows the link to the recording with one click, and returns the page that it opens. */
async function opened(page: Page, report: string, title: string): Promise<Page> {
  await page.goto(report);
  await page.getByRole('link', { name: title }).first().click();
  const popup = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'recording in the inspector' }).click();
  const shown = await popup;
  await shown.waitForLoadState();
  return shown;
}

/** From a folder, Playwright's own report page cannot fetch what it would copy for an agent. */
const OF_THE_REPORT = [/URL scheme "file" is not supported/, /^Uncaught: Failed to fetch/];

async function seesTheCalls(shown: Page): Promise<void> {
  const conversation = shown.getByRole('log', { name: 'Conversation' });
  await expect(conversation).toContainText('It looks right to me.');
  await expect(conversation.locator('[data-tool="read"]')).toHaveCount(1);
  await expect(shown.getByText('Expected the agent to call edit.')).toBeVisible();
  await expect(shown.getByRole('code').filter({ hasText: 'npx vitrine show' })).toContainText(
    'recording.json',
  );
  const inspector = shown.getByRole('complementary', { name: 'Inspector' });
  await inspector.getByRole('treeitem', { name: /^Read read/ }).click();
  await expect(inspector.getByRole('region', { name: 'Details' })).toContainText('add.mjs');
  await inspector.getByRole('tab', { name: 'Output' }).click();
  await expect(inspector).toContainText('a - b');
  await inspector.getByRole('treeitem', { name: /^Step 2/ }).click();
  await expect(inspector.getByText('System prompt')).toBeVisible();
  // A sub-agent's session is in the page too.
  await conversation.getByRole('link', { name: /session/i }).click();
  await expect(conversation).toContainText('Assigned work');
  await shown.getByRole('button', { name: /^Back to/ }).click();
  await expect(conversation).toContainText('The sum is wrong');
}

test('one click in the report opens the recording in the inspector, without a network', async ({ page }) => {
  const server = spawn(
    process.execPath,
    ['node_modules/@playwright/test/cli.js', 'show-report', '--port', '0', '--host', '127.0.0.1'],
    // This variable keeps Playwright from opening a browser.
    { cwd: kit.folder, env: { ...kit.environment, CLAUDECODE: '1' }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    let told = '';
    while (!told.includes('http')) told += String((await once(server.stdout, 'data'))[0]);
    const shown = await opened(page, /http:[^\s.]+(?:\.[^\s.]+)*/.exec(told)?.[0] ?? '', 'mends the sum');
    const asked: string[] = [];
    shown.on('request', (request) => asked.push(request.url()));
    await seesTheCalls(shown);
    expect(asked).toEqual([]);
  } finally {
    server.kill();
  }
});

test('the report opens it as well from a folder, as it is unpacked from CI', async ({ page, complaints }) => {
  complaints.expect(...OF_THE_REPORT);
  const report = String(pathToFileURL(path.join(kit.folder, 'playwright-report/index.html')));
  const shown = await opened(page, report, 'mends the sum');
  await seesTheCalls(shown);
  expect(await axeFindings(shown)).toEqual([]);
  expect(await stumblingBlocks(shown)).toEqual([]);
  await shown.getByRole('button', { name: 'Play' }).click();
  await expect(shown.getByRole('button', { name: 'Pause' })).toBeVisible();
  const download = shown.waitForEvent('download');
  await shown.getByRole('button', { name: 'Save the recording' }).click();
  expect((await download).suggestedFilename()).toMatch(/mends-the-sum.*\.vitrine\.json$/);
});

test('texts of a recording stay texts on its page, whose size is limited', async ({ page, complaints }) => {
  complaints.expect(...OF_THE_REPORT);
  const report = String(pathToFileURL(path.join(kit.folder, 'playwright-report/index.html')));
  const shown = await opened(page, report, 'says what it must not');
  await expect(shown.getByRole('log', { name: 'Conversation' })).toContainText('</script><script>');
  await expect(shown).toHaveTitle(/says what it must not/);
  const data = path.join(kit.folder, 'playwright-report/data');
  const pages = (await readdir(data)).filter((name) => name.endsWith('.html'));
  expect(pages).toHaveLength(2);
  for (const name of pages) expect((await stat(path.join(data, name))).size).toBeLessThan(1_000_000);
});
