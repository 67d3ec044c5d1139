import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumArgs, findChromium } from '../../scripts/chromium.mjs';
import { bundle } from '../support/bundle.ts';
import type * as Kit from '../support/storage/page.ts';
import { expect, test } from './test.ts';

const ORIGIN = 'http://localhost:4999';
const KIT = `${ORIGIN}/kit.js`;

test('writes wait for one another, whatever stores they name and whichever tab they come from; reads do not', async ({
  complaints,
}) => {
  const script = await bundle(new URL('../support/storage/page.ts', import.meta.url));
  const profile = mkdtempSync(join(tmpdir(), 'vitrine-writes-'));
  const executablePath = findChromium();
  // On a disk: what Chromium keeps in memory only is another database, which has one writer anyway.
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath && { executablePath }),
    args: chromiumArgs,
  });
  complaints.watch(context);
  try {
    await context.route(`${ORIGIN}/**`, (route) =>
      route.request().url() === KIT
        ? route.fulfill({ contentType: 'text/javascript', body: script })
        : route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Storage</title>' }),
    );
    const page = await context.newPage();
    await page.goto(ORIGIN);
    const steps = await page.evaluate(async (kit) => {
      const { Database } = (await import(kit)) as typeof Kit;
      const hooks = { onProblem() {}, onRecovered() {}, onCreated() {} };
      const [here, there] = await Promise.all([
        Database.open('writes', hooks),
        Database.open('writes', hooks),
      ]);
      const heard: string[] = [];
      const first = here.run(['files'], 'readwrite', async (tx) => {
        heard.push('first begins');
        for (let turn = 0; turn < 50 || !heard.includes('read'); turn++)
          await tx.objectStore('files').count();
        heard.push('first ends');
      });
      const others = [here, there].map((database) =>
        database.run(['settings'], 'readwrite', async (tx) => {
          await tx.objectStore('settings').count();
          heard.push('another');
        }),
      );
      const read = here.run(['events'], 'readonly', async (tx) => {
        await tx.objectStore('events').count();
        heard.push('read');
      });
      await Promise.all([first, ...others, read]);
      return heard;
    }, KIT);
    expect(steps).toEqual(['first begins', 'read', 'first ends', 'another', 'another']);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
});
