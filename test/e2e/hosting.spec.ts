import type { Page } from '@playwright/test';
import { startStaticHost } from '../support/static-host.ts';
import { openApp, prompt, script, useScript } from './app.ts';
import { expect, test } from './test.ts';

/** The main job in short: a scripted agent runs a command in the workspace and ends. */
async function runJob(page: Page, url: string): Promise<void> {
  await openApp(page, `${url}?automation=1`);
  await useScript(
    page,
    script(
      {
        tools: [
          { tool: 'bash', input: { command: 'echo hi > made.txt; cat made.txt', description: 'Make' } },
        ],
      },
      { text: 'Made.' },
    ),
    { bash: 'allow' },
  );
  expect((await prompt(page, 'Make it')).status).toBe('idle');
  expect(await page.evaluate(() => window.vitrine.workspace.readFile('made.txt'))).toBe('hi\n');
}

test('works in a sub-path', async ({ page }) => {
  const host = await startStaticHost({ base: '/apps/vitrine/' });
  await runJob(page, host.url);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await host.close();
});

test('works on a host that sends no headers', async ({ page }) => {
  const host = await startStaticHost({ headers: false });
  await runJob(page, host.url);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  const exec = (command: string) => page.evaluate((line) => window.vitrine.workspace.exec(line), command);
  expect(await exec('grep -c hi *.txt | sed s/1/one/; (exit 3) & wait $!; echo $?')).toEqual({
    exitCode: 0,
    output: 'one\n3\n',
  });
  // npm is a program of the shell: it runs scripts, and what they start with node does not run.
  const scripts = JSON.stringify({ scripts: { say: 'echo said', test: 'node --test' } });
  await page.evaluate((text) => window.vitrine.workspace.writeFile('package.json', text), scripts);
  expect((await exec('npm run --silent say')).output).toBe('said\n');
  for (const command of ['node -p 1', 'npm test']) {
    const { exitCode, output } = await exec(command);
    expect(exitCode, command).not.toBe(0);
    expect(output, command).toContain('cross-origin isolated');
  }
  await host.close();
});

test('stays isolated when everything is answered with 304', async ({ page }) => {
  const host = await startStaticHost();
  await openApp(page, `${host.url}?automation=1`);
  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  expect(host.statuses.get('/?automation=1')).toEqual([200, 304]);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await runJob(page, host.url);
  await host.close();
});
