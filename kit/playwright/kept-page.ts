import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';
import { listenersOf, removeNewListeners, watchLastingChanges, watchRoutes } from './lasting-changes.ts';
import { connectFeed } from './page-feed.ts';

/** A page of the app's origin that does not run the app. While it is open, the page keeps its process, which has compiled the app. */
export const EMPTY_PAGE = '/kit/empty.html';

/** How long clearing a page may take, in ms, before a new one is quicker. */
const CLEARING_MS = 5000;

/**
 * Types of requests whose answers a page does not keep in its memory. It keeps documents, scripts and styles, those that a route
 * of the test has answered with as well, and would use them for the next test.
 */
const NOT_IN_MEMORY: ReadonlySet<string> = new Set(['fetch', 'xhr', 'eventsource', 'websocket', 'ping']);

/** How the DevTools protocol names the page and its context. */
type Target = Readonly<{ targetId: string; browserContextId?: string }>;

/**
 * A page, alone in its context, that one test after the other uses, since opening the app in it takes half as long as in a new
 * one. Between them all that it keeps is cleared: the storage of the app's origin, cookies, permissions, the history of the
 * tab, routes, listeners, and the browser's cache if other servers were asked. A test that did anything else through Playwright
 * which would last, that changed Playwright's objects, opened another origin or page, or had a route for files of the app,
 * leaves the page unfit for the next one.
 */
export class KeptPage {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly #session: CDPSession;
  readonly #target: Target;
  readonly #origin: string;
  readonly #listeners: readonly {
    readonly of: Page | BrowserContext;
    readonly before: ReturnType<typeof listenersOf>;
  }[];
  /** The objects of Playwright that all tests on this page share. */
  readonly #objects: readonly object[];
  /** The properties of each of these objects when the test began. */
  #members: readonly Members[] = [];
  #requests: Page['requests'] | undefined;
  #isFit = true;
  /** Whether the browser's cache may have answers of the test's own servers, besides the files of the app. */
  #isCacheStale = false;
  /** Between tests Playwright itself uses members that a test must not use, such as `tracing`, so only a test spoils the page. */
  #isInTest = false;

  private constructor(page: Page, session: CDPSession, target: Target, origin: string) {
    const context = page.context();
    this.context = context;
    this.page = page;
    this.#session = session;
    this.#target = target;
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
    for (const routed of [context, page])
      watchRoutes(routed, (request) => {
        if (!isElsewhere(request.url(), origin) && !NOT_IN_MEMORY.has(request.resourceType())) spoil();
      });
    this.#listeners = [context, page].map((of) => ({ of, before: listenersOf(of) }));
    this.#objects = watchLastingChanges(page, () => {
      if (this.#isInTest) spoil();
    });
  }

  static async open(browser: Browser, origin: string): Promise<KeptPage> {
    const context = await browser.newContext();
    const page = await context.newPage();
    await connectFeed(page);
    const session = await context.newCDPSession(page);
    // Each test begins on the same page, whether it is the first one or not.
    await page.goto(`${origin}${EMPTY_PAGE}`);
    await session.send('Page.resetNavigationHistory');
    const { targetInfo } = await session.send('Target.getTargetInfo');
    return new KeptPage(page, session, targetInfo, origin);
  }

  /** Call this when a test begins to use the page. */
  begin(): void {
    this.#members = this.#objects.map(ownMembers);
    this.#isInTest = true;
  }

  /** Clears what the test has left. Returns whether the page is as a new one. */
  async clear(): Promise<boolean> {
    this.#isInTest = false;
    const areSame = this.#objects.every((each, at) => isEqual(ownMembers(each), this.#members[at]));
    if (!this.#isFit || !areSame || this.page.isClosed()) return false;
    // The listeners go first, so that none of them hears the clearing and fails the test. Playwright accepts a `beforeunload`
    // dialog by itself where nothing listens for dialogs.
    if (!this.#removeListeners()) return false;
    try {
      for (const routed of [this.page, this.context]) await routed.unrouteAll({ behavior: 'ignoreErrors' });
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
      if (await this.#hasCompany()) return false;
    } catch {
      return false;
    }
    // Code of the test that still runs may have added listeners meanwhile.
    return this.#removeListeners() && this.#isFit;
  }

  #removeListeners(): boolean {
    return this.#listeners.map(({ of, before }) => removeNewListeners(of, before)).every(Boolean);
  }

  /** Whether the context has another page. Playwright tells of one only when its server has answered. */
  async #hasCompany(): Promise<boolean> {
    const { targetInfos } = await this.#session.send('Target.getTargets');
    return targetInfos.some(
      ({ type, targetId, browserContextId }) =>
        type === 'page' &&
        targetId !== this.#target.targetId &&
        browserContextId === this.#target.browserContextId,
    );
  }

  /** Removes the messages, errors and requests of earlier tests, which Playwright remembers for each page. */
  async #forgetPast(): Promise<void> {
    const { page } = this;
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

/** Whether an address is that of something other than the app. */
function isElsewhere(address: string, origin: string): boolean {
  if (address === '' || /^(about|data|blob):/.test(address)) return false;
  return !address.startsWith(`${origin}/`);
}

type Members = ReadonlyMap<string, unknown>;

/** Returns the own properties of an object of Playwright, without those that begin with `_`: Playwright changes them at any time. */
function ownMembers(object: object): Members {
  const own = Object.entries(Object.getOwnPropertyDescriptors(object));
  return new Map(
    own.filter(([name]) => !name.startsWith('_')).map(([name, { value, get }]) => [name, get ?? value]),
  );
}

function isEqual(some: Members, others: Members | undefined): boolean {
  return some.size === others?.size && [...some].every(([name, value]) => others.get(name) === value);
}
