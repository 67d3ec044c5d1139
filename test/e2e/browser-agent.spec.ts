import { chromiumArgs, findHeadlessChromium } from '../../scripts/chromium.mjs';
import { answer, openApp, script, useScript } from './app.ts';
import { expect, test } from './test.ts';

const executablePath = findHeadlessChromium();
test.use({
  launchOptions: {
    ...(executablePath && { executablePath }),
    args: [...chromiumArgs, '--enable-features=WebMCP'],
  },
});

test("the browser's agent asks ours through WebMCP, and the person at the page decides what is allowed", async ({
  page,
}) => {
  await openApp(page);
  await expect
    .poll(async () => (await page.webmcp.tools()).map(({ name }) => name))
    .toEqual([
      'vitrine_ask_agent',
      'vitrine_list_changed_files',
      'vitrine_list_sessions',
      'vitrine_read_file',
      'vitrine_read_session',
      'vitrine_stop_agent',
    ]);
  const write = { tool: 'write', input: { filePath: 'a.txt', content: 'a' } };
  await useScript(page, script({ tools: [write] }, { text: 'Written.' }));

  const asked = page.webmcp.callTool('vitrine_ask_agent', { text: 'Write a' });
  await answer(page, 'Allow once');
  expect(await asked).toMatchObject({ status: 'idle', conversation: expect.stringContaining('Written.') });
  expect(await page.webmcp.callTool('vitrine_list_changed_files')).toEqual([
    { path: 'a.txt', kind: 'added' },
  ]);
  const read = await page.webmcp.callTool('vitrine_read_file', { path: 'a.txt' });
  expect(read).toMatchObject({ outcome: 'ok', output: expect.stringContaining('a') });
  const listed = await page.webmcp.callTool('vitrine_list_sessions');
  expect(listed).toMatchObject({
    open: expect.stringMatching(/^ses_/),
    sessions: [{ title: expect.any(String) }],
  });
  expect(await page.webmcp.callTool('vitrine_read_session')).toContain('Written.');
});

test("the browser's agent is offered nothing on a page that nobody wants automated", async ({ page }) => {
  await page.goto('/?offline=off&settings=storage');
  // This is known after the point at which tools would be offered.
  await expect(page.getByText('the page was opened without it')).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(() => 'modelContext' in document)).toBe(true);
  expect(await page.webmcp.tools()).toEqual([]);
});
