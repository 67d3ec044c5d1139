import type { BrowserContext } from '@playwright/test';
import { PAGES, type serveQuestions } from './server.ts';

/** Longer than any question takes: a page that says nothing for so long is loaded again, milliseconds. */
const SILENCE_MS = 90_000;
const MAX_LOADS = 8;

/** Asks everything, in order; a page that dies on the way is opened again and goes on after the question that killed it. */
export async function askEverything(
  context: BrowserContext,
  served: Awaited<ReturnType<typeof serveQuestions>>,
): Promise<void> {
  for (const place of PAGES)
    for (let load = 0; load < MAX_LOADS && !served.isDone(place); load++) {
      const page = await context.newPage();
      await page.goto(served.url + place);
      while (!served.isDone(place) && (await served.news(SILENCE_MS)) === 'said');
      await page.close();
    }
}
