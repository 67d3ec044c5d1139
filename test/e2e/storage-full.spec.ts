import { expect, test } from '@playwright/test';
import { bundle } from '../support/bundle.ts';
import type * as Kit from '../support/storage/page.ts';

declare function makeRoom(): Promise<void>;

const ORIGIN = 'http://localhost:4999';
const KIT = `${ORIGIN}/kit.js`;

test('a full disk is told as such, nothing is stored by halves, and the log goes on once there is room', async ({
  page,
  context,
}) => {
  const script = await bundle(new URL('../support/storage/page.ts', import.meta.url));
  await context.route(`${ORIGIN}/**`, (route) =>
    route.request().url() === KIT
      ? route.fulfill({ contentType: 'text/javascript', body: script })
      : route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Storage</title>' }),
  );
  const devtools = await context.newCDPSession(page);
  // Set before the first use: Chromium asks for the room that is left only now and then.
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: ORIGIN, quotaSize: 3_000_000 });
  await page.exposeFunction('makeRoom', () =>
    devtools.send('Storage.overrideQuotaForOrigin', { origin: ORIGIN }),
  );
  await page.goto(ORIGIN);

  const outcome = await page.evaluate(async (kit) => {
    const { openStorage, TestLog, faultOf } = (await import(kit)) as typeof Kit;
    const storage = await openStorage({ onProblem: () => {} });
    const { sessions, blobs } = storage;
    await sessions.commit(new TestLog('ses_old').commit([random('old', 1_500_000)]), 'strict');
    const log = new TestLog('ses_1');
    await sessions.commit(log.commit(), 'strict');
    const next = log.prompt('msg_1', 'one').commit([random('new', 2_000_000)]);
    const fault = await sessions.commit(next, 'strict').then(() => undefined, faultOf);
    const stored = {
      events: await sessions.events('ses_1', 0),
      messages: await sessions.messages('ses_1', { limit: 9 }),
      missing: await blobs.missing(['new']),
    };
    await makeRoom();
    await sessions.commit(next, 'strict');
    return { fault, stored, log: log.events, after: await sessions.events('ses_1', 0) };

    function random(hash: string, size: number) {
      const bytes = new Uint8Array(size);
      for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
      return { hash, bytes };
    }
  }, KIT);

  expect(outcome.fault).toMatchObject({ code: 'storage-full', next: expect.any(String) });
  expect(outcome.stored).toEqual({ events: outcome.log.slice(0, 1), messages: [], missing: ['new'] });
  expect(outcome.after).toEqual(outcome.log);
});
