import type { Page } from '@playwright/test';

/** The function of the page that calls back into the test. */
export const FEED = 'vitrineKitTell';

/** Receives what the page sends, and returns the answer. */
type Receive = (sent: never) => unknown;

/** The test that receives what each page sends. A page keeps the function that it is given, so it is given one only once. */
const receivers = new WeakMap<Page, { receive: Receive | undefined }>();

/** Gives the page the function {@link FEED}, on this document and the next ones. */
export async function connectFeed(page: Page, receive?: Receive): Promise<void> {
  const known = receivers.get(page);
  if (known) {
    known.receive = receive;
    return;
  }
  const feed = { receive };
  receivers.set(page, feed);
  await page.exposeFunction(FEED, (sent: never) => feed.receive?.(sent));
}
