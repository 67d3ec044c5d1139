import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { KillableBrowser } from '../support/kill/browser.ts';
import { CommittedEvents } from '../support/kill/committed.ts';
import { calls, openApp, readFile, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

// Nothing can be asked of a browser that was killed.
test.use({ trace: 'off' });

const BOMB = 'const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()));';

const DEATHS: readonly {
  readonly how: string;
  readonly command: string;
  readonly end?: typeof crashFrame;
}[] = [
  { how: 'dies', command: 'echo shown; sleep 600', end: crashFrame },
  { how: 'runs out of memory in node', command: `echo shown; sleep 1; node -e '${BOMB}'` },
];

for (const { how, command, end } of DEATHS)
  test(`a workspace whose process ${how} mid-command fails that call, says so, and goes on with its files`, async ({
    baseURL,
  }) => {
    await dyingWorkspace(`${baseURL}/?automation=1`, command, end);
  });

async function dyingWorkspace(address: string, command: string, end?: typeof crashFrame): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'vitrine-crash-'));
  const browser = new KillableBrowser(profile, 'about:blank');
  const committed = new CommittedEvents();
  await committed.listen();
  try {
    const page = await pageOf(browser);
    await committed.follow(page);
    await openApp(page, address);
    await useScript(
      page,
      script(
        { tools: [{ tool: 'write', input: { filePath: 'kept.txt', content: 'kept\n' } }] },
        { tools: [{ tool: 'bash', input: { command, description: 'Wait' } }] },
        { tools: [{ tool: 'bash', input: { command: 'cat kept.txt', description: 'Look' } }] },
        { text: 'It was there.' },
      ),
      'allow',
    );
    await page.evaluate(() => {
      const status = document.querySelector('[role="status"][aria-label="Workspace"]')!;
      const seen: string[] = [];
      new MutationObserver(() => seen.push(status.textContent)).observe(status, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
      Object.assign(window, { seen });
    });
    await send(page, 'Write and wait');
    await expect(calls(page, 'bash')).toContainText('shown');
    await end?.(browser, committed);

    // A connection that sees a frame's process die calls the whole page dead: a new one comes when that is over.
    await committed.until(({ type }) => type === 'turn.ended');
    const again = await pageOf(browser);
    const lost = calls(again, 'bash').first();
    await expect(lost).toHaveAttribute('data-outcome', 'failed');
    await expect(lost).toContainText('shown');
    await expect(lost).toContainText('The workspace stopped');
    await expect(again.getByRole('log', { name: 'Conversation' })).toContainText('It was there.');
    await expect(calls(again, 'bash').nth(1)).toHaveAttribute('data-outcome', 'ok');
    await expect(calls(again, 'bash').nth(1)).toContainText('kept');
    expect(await again.evaluate(() => Reflect.get(window, 'seen').join('\n'))).toMatch(
      /restart[^]*stopped answering/i,
    );
    await expect(again.getByRole('status', { name: 'Workspace' })).toContainText('Embedded');
    expect(await readFile(again, 'kept.txt')).toBe('kept\n');
  } finally {
    await browser.kill();
    await committed.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

async function pageOf(browser: KillableBrowser): Promise<Page> {
  const page = (await browser.connect()).contexts()[0]?.pages()[0];
  if (!page) throw new Error('The browser has no page.');
  page.setDefaultTimeout(20_000);
  return page;
}

/**
 * Ends the process of the workspace's frame, as running out of memory does. The browser does not always carry it out, and a
 * connection that saw a process die is of no use any more, so that each try has its own.
 */
async function crashFrame(browser: KillableBrowser, committed: CommittedEvents): Promise<void> {
  const hasFailed = () =>
    [...committed.events.values()].some((event) => event.type === 'call.ended' && event.outcome === 'failed');
  await expect(async () => {
    const page = await pageOf(browser);
    const frame = page
      .frames()
      .find((candidate) => new URL(candidate.url()).pathname.endsWith('/sandbox.html'));
    if (!frame) throw new Error('The page has no workspace frame.');
    const devtools = await page.context().newCDPSession(frame);
    // Never answered, as who would answer is gone.
    devtools.send('Page.crash').catch(() => undefined);
    await expect.poll(hasFailed, { timeout: 5_000 }).toBe(true);
  }).toPass({ timeout: 60_000 });
}
