import { calls, openApp, prompt, script, useScript } from './app.ts';
import { expect, test } from './test.ts';

const MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

test('model output, file names, file contents and command output never become markup', async ({ page }) => {
  await openApp(page);
  await useScript(
    page,
    script(
      {
        reasoning: MARKUP,
        text: `Hello ${MARKUP}\n\n[link](javascript:window.hacked=1)\n\n\`\`\`html\n${MARKUP}\n\`\`\``,
        tools: [
          { tool: 'write', input: { filePath: '<img src=x onerror=alert>.txt', content: MARKUP } },
          {
            tool: 'bash',
            input: { command: `printf '%s' '${MARKUP.replaceAll("'", '')}'`, description: MARKUP },
          },
        ],
      },
      { tools: [{ tool: 'read', input: { filePath: '<img src=x onerror=alert>.txt' } }] },
      { text: 'Done.' },
    ),
    'allow',
  );
  expect((await prompt(page, MARKUP)).status).toBe('idle');
  await expect(calls(page, 'bash')).toHaveAttribute('data-outcome', 'ok');
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(page.getByRole('treeitem', { name: '<img src=x onerror=alert>.txt' })).toBeVisible();
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  expect(await page.locator('[onerror], a[href^="javascript"]').count()).toBe(0);
});

test('what is run cannot reach the app, and nothing leaves the workspace', async ({ page }) => {
  await openApp(page);
  await useScript(
    page,
    script(
      {
        tools: [
          { tool: 'read', input: { filePath: '../../etc/passwd' } },
          { tool: 'write', input: { filePath: '/etc/passwd', content: 'x' } },
          {
            tool: 'bash',
            input: {
              command: 'ln -s /home/other link; cat link/x; echo y > /etc/out.txt',
              description: 'Escape',
            },
          },
          { tool: 'nonsense', input: { a: 1 } },
          { tool: 'read', input: { wrong: true } },
        ],
      },
      { text: 'Tried.' },
    ),
    'allow',
  );
  expect((await prompt(page, 'Escape')).status).toBe('idle');
  await expect(calls(page, 'read').first()).toHaveAttribute('data-outcome', 'failed');
  await expect(calls(page, 'write')).toHaveAttribute('data-outcome', 'failed');
  await expect(calls(page, 'nonsense')).toHaveAttribute('data-outcome', 'invalid');
  await expect(calls(page, 'read').nth(1)).toHaveAttribute('data-outcome', 'invalid');
  const { output } = await page.evaluate(() => window.vitrine.workspace.exec('ls /etc; cat /etc/out.txt'));
  expect(output).not.toContain('out.txt\n');
});

test('a runaway command dies at its limit, keeps its output and its files, and the workspace goes on', async ({
  page,
}) => {
  await openApp(page);
  await useScript(
    page,
    script(
      {
        tools: [
          {
            tool: 'bash',
            input: {
              command: 'echo kept > kept.txt; echo shown; while :; do :; done',
              timeout: 1000,
              description: 'Loop',
            },
          },
        ],
      },
      { text: 'Ended.' },
    ),
    'allow',
  );
  expect((await prompt(page, 'Loop')).status).toBe('idle');
  await expect(calls(page, 'bash')).toContainText('shown');
  expect(await page.evaluate(() => window.vitrine.workspace.readFile('kept.txt'))).toBe('kept\n');
  expect(await page.evaluate(() => window.vitrine.workspace.exec('echo alive'))).toEqual({
    exitCode: 0,
    output: 'alive\n',
  });
});
