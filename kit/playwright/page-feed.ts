import type { Page } from '@playwright/test';

/** The function of the page that calls back into the test. */
export const FEED = 'vitrineKitTell';

/** Takes what the page sends, and returns the answer. */
type Receive = (sent: never) => unknown;

/** Who takes what each page sends now. A function that is given to a page stays there, so each page gets it once. */
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
