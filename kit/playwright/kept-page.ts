import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';
import { listenersOf, removeNewListeners, watchLastingChanges } from './lasting-changes.ts';
import { connectFeed } from './page-feed.ts';

/** A page of the same origin on which no app runs. On it the process of the page stays, with the app compiled in it. */
export const EMPTY_PAGE = '/kit/empty.html';

/** How long clearing a page may take, in ms, before a new one is quicker. */
const CLEARING_MS = 5000;

/**
 * A page, alone in its context, that one test after the other uses, since opening the app in it takes half as long as in a new
 * one. Between them all that it keeps is cleared: the storage of the app's origin, cookies, permissions, the history of the
 * tab, routes, listeners, and the browser's cache if other servers were asked. A test that did anything else through Playwright which
 * would last, or opened another origin or page, leaves the page unfit for the next one.
 */
export class KeptPage {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly #session: CDPSession;
  readonly #origin: string;
  readonly #listeners: readonly {
    readonly of: Page | BrowserContext;
    readonly before: ReturnType<typeof listenersOf>;
  }[];
  #requests: Page['requests'] | undefined;
  #isFit = true;
  /** Whether the browser's cache may have answers of the test's own servers, besides the files of the app. */
  #isCacheStale = false;
  /** Between tests Playwright itself reaches for what a test must not, as for its traces. */
  #isInTest = false;

  private constructor(context: BrowserContext, page: Page, session: CDPSession, origin: string) {
    this.context = context;
    this.page = page;
    this.#session = session;
    this.#origin = origin;
    const spoil = () => (this.#isFit = false);
    context.on('page', spoil);
    page.on('crash', spoil);
    page.on('framenavigated', (frame) => {
      if (isElsewhere(frame.url(), origin)) spoil();
    });
    context.on('request', (request) => {
      if (isElsewhere(request.url(), origin)) this.#isCacheStale = true;
    });
    this.#listeners = [context, page].map((of) => ({ of, before: listenersOf(of) }));
    watchLastingChanges(page, () => {
      if (this.#isInTest) spoil();
    });
  }

  static async open(browser: Browser, origin: string): Promise<KeptPage> {
    const context = await browser.newContext();
    const page = await context.newPage();
    await connectFeed(page);
    const session = await context.newCDPSession(page);
    return new KeptPage(context, page, session, origin);
  }

  /** A test begins to use the page. */
  begin(): void {
    this.#isInTest = true;
  }

  /** Clears what the test has left. Returns whether the page is as a new one. */
  async clear(): Promise<boolean> {
    this.#isInTest = false;
    if (!this.#isFit || this.page.isClosed()) return false;
    try {
      for (const routed of [this.page, this.context]) await routed.unrouteAll({ behavior: 'ignoreErrors' });
      // Playwright itself answers a dialog of the app that would keep it open.
      await this.page.goto(`${this.#origin}${EMPTY_PAGE}`, { timeout: CLEARING_MS });
      await connectFeed(this.page);
      await this.page.evaluate(() => {
        sessionStorage.clear();
        window.name = '';
      });
      await this.#session.send('Storage.clearDataForOrigin', { origin: this.#origin, storageTypes: 'all' });
      await this.#session.send('Page.resetNavigationHistory');
      if (this.#isCacheStale) await this.#session.send('Network.clearBrowserCache');
      this.#isCacheStale = false;
      await this.context.clearCookies();
      await this.context.clearPermissions();
      await this.page.mouse.move(-1, -1);
      await this.#forgetPast();
    } catch {
      return false;
    }
    const areKept = this.#listeners.map(({ of, before }) => removeNewListeners(of, before));
    return this.#isFit && areKept.every(Boolean);
  }

  /** Playwright remembers what happened on a page. Its versions before 1.56 have none of these methods. */
  async #forgetPast(): Promise<void> {
    const { page } = this;
    if (!('consoleMessages' in page)) return;
    // Versions that remember messages and cannot forget them fail here, so that the page is not kept.
    await page.clearConsoleMessages();
    await page.clearPageErrors();
    const requests = (this.#requests ??= page.requests.bind(page));
    const past = new Set(await requests());
    Object.defineProperty(page, 'requests', {
      configurable: true,
      value: async () => (await requests()).filter((request) => !past.has(request)),
    });
  }
}

/** Whether an address is that of a server other than the app's. */
function isElsewhere(address: string, origin: string): boolean {
  return address.startsWith('http') && new URL(address).origin !== origin;
}
