import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KillableBrowser } from '../support/kill/browser.ts';
import { CommittedEvents } from '../support/kill/committed.ts';
import { openApp, useScript } from './app.ts';
import { expect, test } from './test.ts';

// Nothing can be asked of a browser that was killed.
test.use({ trace: 'off' });

/** A hidden page's own timers fire once a second: on those, these pieces would take four minutes. */
const PIECES = 240;

test('a turn goes on and ends while its tab is hidden', async ({ baseURL }) => {
  const profile = mkdtempSync(join(tmpdir(), 'vitrine-hidden-'));
  const browser = new KillableBrowser(profile, 'about:blank');
  const committed = new CommittedEvents();
  await committed.listen();
  try {
    const connection = await browser.connect();
    const page = connection.contexts()[0]?.pages()[0];
    if (!page) throw new Error('The browser has no page.');
    await committed.follow(page);
    await openApp(page, `${baseURL}/?automation=1`);
    await useScript(
      page,
      {
        version: 1,
        title: 'hidden',
        chunkDelayMs: 10,
        turns: [
          {
            steps: [
              {
                text: 'a word '.repeat(PIECES / 2),
                tools: [
                  {
                    tool: 'bash',
                    input: {
                      description: 'Count',
                      command: 'for i in 1 2 3 4 5; do sleep 0.2; echo $i; done',
                    },
                  },
                  {
                    tool: 'bash',
                    input: { description: 'Loop', command: 'echo begun; while :; do :; done', timeout: 800 },
                  },
                ],
              },
              { text: 'Done.' },
            ],
          },
        ],
      },
      'allow',
    );
    await page.evaluate(() => {
      const seen: { visible: DocumentVisibilityState; type: string }[] = [];
      Object.assign(window, { seen });
      new BroadcastChannel('vitrine:tabs').onmessage = ({ data }) => {
        for (const { type } of data.events ?? []) seen.push({ visible: document.visibilityState, type });
      };
      // Begins once nobody looks: a page that is watched by a test counts as visible.
      document.addEventListener('visibilitychange', () => void window.vitrine.prompt('Go'), { once: true });
    });
    await connection.close();

    await browser.openTab('about:blank');
    const started = await committed.until(({ type }) => type === 'turn.started');
    const ended = await committed.until(({ type }) => type === 'turn.ended');
    console.log(`hidden: a turn of ${PIECES} pieces and two commands took ${ended.time - started.time} ms`);
    expect(ended).toMatchObject({ status: 'idle' });
    expect(ended.time - started.time).toBeLessThan(30_000);

    const pages = (await browser.connect()).contexts()[0]?.pages() ?? [];
    const app = pages.find((each) => each.url().includes('automation'));
    const seen = await app?.evaluate(
      () => Reflect.get(window, 'seen') as { visible: string; type: string }[],
    );
    expect(seen?.at(-1)?.type).toBe('turn.ended');
    expect(new Set(seen?.map(({ visible }) => visible))).toEqual(new Set(['hidden']));
    await expect(app!.getByRole('article').last()).toContainText('Done.');
  } finally {
    await browser.kill();
    await committed.close();
    rmSync(profile, { recursive: true, force: true });
  }
});
