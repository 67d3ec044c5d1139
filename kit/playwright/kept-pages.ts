import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { KeptPage } from './kept-page.ts';

/** Settings of a test that decide whether its page can be kept, and that the options of its context do not contain. */
export interface PageSettings {
  readonly video: unknown;
  readonly storageState: unknown;
  readonly permissions: readonly string[] | undefined;
  readonly contextOptions: object;
  readonly actionTimeout: number;
  readonly navigationTimeout: number;
}

/** After so many tests a new page is opened, as its process keeps what the tests before have compiled and not let go. */
const MOST_TESTS = 50;

/**
 * In older versions of Playwright, 1.62 for one, `page.route()` never resolves on a page that has left a document with a
 * workspace, and those from 1.56 to 1.58 cannot forget the messages of a page.
 */
const OLDEST_PLAYWRIGHT = [1, 63] as const;

/** The page that the tests of a worker use one after the other, where that makes no difference to them but in time. */
export class KeptPages {
  readonly #origin: string;
  #kept: { readonly page: KeptPage; readonly madeFor: string; tests: number } | undefined;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /**
   * Returns a page for a test, or nothing if this test needs one of its own. `plain` is the context that Playwright made for
   * the test, which has its options.
   */
  async take(browser: Browser, plain: BrowserContext, settings: PageSettings): Promise<KeptPage | undefined> {
    const madeFor = optionsOf(plain, settings);
    if (this.#kept && (this.#kept.madeFor !== madeFor || this.#kept.tests >= MOST_TESTS)) await this.close();
    const canKeep = browser.browserType().name() === 'chromium' && isNewPlaywright();
    if (madeFor === undefined || !canKeep) return undefined;
    this.#kept ??= { page: await KeptPage.open(browser, this.#origin), madeFor, tests: 0 };
    this.#kept.tests++;
    this.#kept.page.begin();
    return this.#kept.page;
  }

  /** The page of a context that {@link take} has returned. */
  pageOf(context: BrowserContext): Page | undefined {
    const { page } = this.#kept ?? {};
    return page?.context === context ? page.page : undefined;
  }

  /** Takes the page back from a test. After one that has failed it is closed with a reason, which open calls fail with. */
  async giveBack(failure?: string): Promise<void> {
    if (failure !== undefined || !(await this.#kept?.page.clear())) await this.close(failure);
  }

  async close(reason = 'Test ended.'): Promise<void> {
    const { page } = this.#kept ?? {};
    this.#kept = undefined;
    await page?.context.close({ reason });
  }
}

function isNewPlaywright(): boolean {
  const { version }: { version: string } = createRequire(import.meta.url)('@playwright/test/package.json');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_PLAYWRIGHT;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/**
 * Returns the options that a page for this test is made with, as a text to compare with that of another test. Returns nothing
 * if the page cannot be kept: the test begins with storage or permissions, which clearing would remove; a video records the
 * whole context; or Playwright does not tell the options.
 */
function optionsOf(plain: BrowserContext, settings: PageSettings): string | undefined {
  const { video, storageState, permissions, contextOptions, ...timeouts } = settings;
  const mode = typeof video === 'object' && video !== null ? Reflect.get(video, 'mode') : video;
  const isPlain =
    storageState === undefined && !permissions?.length && Object.keys(contextOptions).length === 0;
  // An editor that shows the browser sets this variable, and Playwright then reuses one context itself.
  if (mode !== 'off' || !isPlain || process.env['PW_TEST_REUSE_CONTEXT']) return undefined;
  const options: unknown = Reflect.get(plain, '_options');
  if (typeof options !== 'object' || options === null || Object.keys(options).length === 0) return undefined;
  return JSON.stringify([options, timeouts]);
}
