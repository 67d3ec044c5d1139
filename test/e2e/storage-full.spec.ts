import type { CDPSession } from '@playwright/test';
import { bundle } from '../support/bundle.ts';
import { openApp, script, useScript } from './app.ts';
import type * as Kit from '../support/storage/page.ts';
import { expect, test as base } from './test.ts';

declare function makeRoom(): Promise<void>;
declare function clearSite(): Promise<void>;

const ORIGIN = 'http://localhost:4999';
const KIT = `${ORIGIN}/kit.js`;

/** A page of an origin of its own, with the storage to import, and the browser's own tools. */
const test = base.extend<{ devtools: CDPSession }>({
  devtools: async ({ page, context }, use) => {
    const script = await bundle(new URL('../support/storage/page.ts', import.meta.url));
    await context.route(`${ORIGIN}/**`, (route) =>
      route.request().url() === KIT
        ? route.fulfill({ contentType: 'text/javascript', body: script })
        : route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Storage</title>' }),
    );
    await use(await context.newCDPSession(page));
  },
});

test('a full disk is told once, stores nothing by halves, and the work goes on and is stored once there is room', async ({
  page,
  devtools,
}) => {
  // Set before the first use: Chromium asks for the room that is left only now and then. While it writes its own files anew,
  // what is stored counts twice.
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: ORIGIN, quotaSize: 8_000_000 });
  await page.exposeFunction('makeRoom', () =>
    devtools.send('Storage.overrideQuotaForOrigin', { origin: ORIGIN }),
  );
  await page.goto(ORIGIN);

  const outcome = await page.evaluate(async (kit) => {
    const { openStorage, TestLog, faultOf } = (await import(kit)) as typeof Kit;
    const told: string[] = [];
    let mend = () => {};
    const mended = new Promise<void>((resolve) => (mend = resolve));
    const storage = await openStorage({
      onProblem: ({ code }) => told.push(code),
      onRecovered() {
        told.push('mended');
        mend();
      },
    });
    const { sessions, blobs } = storage;
    await sessions.commit(new TestLog('ses_old').commit([random('old', 1_500_000)]), 'strict');
    const log = new TestLog('ses_1');
    await sessions.commit(log.commit(), 'strict');
    const next = log.prompt('msg_1', 'one').commit([random('new', 9_000_000)]);
    const fault = await sessions.commit(next, 'strict').then(() => undefined, faultOf);
    const again = await sessions.commit(next, 'strict').then(() => undefined, faultOf);
    const stored = {
      events: await sessions.events('ses_1', 0),
      messages: await sessions.messages('ses_1', { limit: 9 }),
      missing: await blobs.missing(['new']),
    };
    const journal = storage.journal('wsp_1');
    const { bytes } = random('file', 9_000_000);
    await journal.append([
      { op: 'put', node: { path: 'held', type: 'file', mode: 0o644, modified: 1 }, bytes },
    ]);
    const held = (await journal.load()).tail.length;
    const toldBefore = [...told];
    await makeRoom();
    await sessions.commit(next, 'strict');
    const toldByThen = [...told];
    // Not before the files that are held are stored too.
    await mended;
    return {
      fault,
      again,
      stored,
      held,
      toldBefore,
      toldByThen,
      told,
      storedAfter: (await journal.load()).packs.length,
      log: log.events,
      after: await sessions.events('ses_1', 0),
    };

    function random(hash: string, size: number) {
      const content = new Uint8Array(size);
      for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(content.subarray(at, at + 65_536));
      return { hash, bytes: content };
    }
  }, KIT);

  expect(outcome.fault).toMatchObject({ code: 'storage-full', next: expect.any(String) });
  expect(outcome.again).toEqual(outcome.fault);
  expect(outcome.stored).toEqual({ events: outcome.log.slice(0, 1), messages: [], missing: ['new'] });
  expect(outcome.held).toBe(1);
  expect(outcome.toldBefore).toEqual(['storage-full']);
  expect(outcome.toldByThen).toEqual(['storage-full']);
  expect(outcome.told).toEqual(['storage-full', 'mended']);
  expect(outcome.storedAfter).toBe(1);
  expect(outcome.after).toEqual(outcome.log);
});

test('a connection that the browser ends is opened again, and that everything was cleared is told', async ({
  page,
  devtools,
}) => {
  await page.exposeFunction('clearSite', () =>
    devtools.send('Storage.clearDataForOrigin', { origin: ORIGIN, storageTypes: 'indexeddb' }),
  );
  await page.goto(ORIGIN);

  const outcome = await page.evaluate(async (kit) => {
    const { openStorage } = (await import(kit)) as typeof Kit;
    const told: string[] = [];
    let heard = () => {};
    const first = new Promise<void>((resolve) => (heard = resolve));
    const storage = await openStorage({
      onProblem({ code }) {
        told.push(code);
        heard();
      },
      onRecovered: () => told.push('mended'),
    });
    await storage.settings.set('theme', 'dark');
    await clearSite();
    await first;
    await storage.settings.set('theme', 'light');
    return { told, theme: await storage.settings.get('theme') };
  }, KIT);

  expect(outcome).toEqual({ told: ['storage-lost', 'storage-wiped', 'mended'], theme: 'light' });
});

test('a message of millions of characters without a break is stored and exported like any other', async ({
  page,
}) => {
  await openApp(page);
  await useScript(page, script({ text: 'Read.' }));
  const outcome = await page.evaluate(async () => {
    const text = 'x'.repeat(4_500_000);
    const { sessionID, status } = await window.vitrine.prompt(text);
    const exported = JSON.stringify(await window.vitrine.sessions.export(sessionID));
    return { status, sessionID, whole: exported.includes(text) && exported.includes('turn.ended') };
  });
  expect(outcome).toMatchObject({ status: 'idle', whole: true });
  await page.reload();
  await expect(page.getByRole('article').last()).toContainText('Read.');
});

test('on a full disk the agent stops before its request and says why; what happened can be exported', async ({
  page,
  context,
  baseURL,
}) => {
  const devtools = await context.newCDPSession(page);
  // Set before the first use: Chromium asks for the room that is left only now and then.
  const quota = { origin: baseURL ?? '', quotaSize: 2_000_000 };
  await devtools.send('Storage.overrideQuotaForOrigin', quota);
  await openApp(page);
  await useScript(page, script({ text: 'Never said.' }));
  const outcome = await page.evaluate(async () => {
    const text = Array.from({ length: 300_000 }, () => Math.random().toString(36)).join(' ');
    const { sessionID, status } = await window.vitrine.prompt(text);
    const exported = JSON.stringify(await window.vitrine.sessions.export(sessionID));
    return { status, exported, whole: exported.includes(text) };
  });
  expect(outcome).toMatchObject({ status: 'error', whole: true });
  const [session] = (JSON.parse(outcome.exported) as Exported).sessions;
  expect(session?.events[0]?.type).toBe('session.created');
  // The turn's changes to files may be stored as a snapshot after the turn has ended.
  expect(session?.events.filter(({ type }) => !type.startsWith('snapshot.')).at(-1)?.type).toBe('turn.ended');
  const told = page
    .getByRole('main')
    .getByRole('group', { name: /stopped because this session cannot be saved/ });
  await expect(told).toContainText('Free some space');
  await expect(page.getByText('Never said.')).toHaveCount(0);
});

interface Exported {
  readonly sessions: readonly { readonly events: readonly { readonly type: string }[] }[];
}
