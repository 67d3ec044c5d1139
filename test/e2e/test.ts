import { test as base, type BrowserContext, type ConsoleMessage } from '@playwright/test';

export { expect } from '@playwright/test';

/**
 * Chromium itself notes each request that failed. One to another host is no fault of the page: tests bring
 * them about, and what the page then says of it is what they check. Pages of tests need no icon either.
 */
function isFailedRequestElsewhere(message: ConsoleMessage): boolean {
  const { url } = message.location();
  if (message.text().startsWith('Access to fetch at ')) return true;
  if (!message.text().startsWith('Failed to load resource:') || !URL.canParse(url)) return false;
  const page = message.page()?.url() ?? '';
  return url.endsWith('/favicon.ico') || !URL.canParse(page) || new URL(url).origin !== new URL(page).origin;
}

/** Collects the console errors and exceptions of all pages of one test. */
export class Complaints {
  readonly #heard: string[] = [];
  readonly #expected: RegExp[] = [];
  readonly #watched = new Set<BrowserContext>();

  /** The test brings about errors whose text matches: these do not fail it. */
  expect(...patterns: readonly RegExp[]): void {
    this.#expected.push(...patterns);
  }

  /** Contexts of the test's own browser are watched anyway; one that a test launches itself needs this. */
  watch(context: BrowserContext): void {
    if (this.#watched.has(context)) return;
    this.#watched.add(context);
    context.on('console', (message) => {
      if (message.type() !== 'error' || isFailedRequestElsewhere(message)) return;
      this.#heard.push(`${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.#heard.push(`Uncaught: ${error.error().message}`));
  }

  get unexpected(): readonly string[] {
    return this.#heard.filter((text) => !this.#expected.some((pattern) => pattern.test(text)));
  }
}

/** The frame that sends the requests of programs first shows that its policy holds, and Chromium complains about it. */
export function expectPolicyCheck(complaints: Complaints): void {
  complaints.expect(/violates the following Content Security Policy directive: "connect-src /);
  complaints.expect(/Refused to connect because it violates the document's Content Security Policy/);
}

/** The `test` of every end-to-end test: an error in any page's console, or an exception, fails it. */
export const test = base.extend<{ complaints: Complaints }>({
  complaints: [
    async ({ browser }, use) => {
      const complaints = new Complaints();
      const watch = (context: BrowserContext) => complaints.watch(context);
      browser.contexts().forEach(watch);
      browser.on('context', watch);
      await use(complaints);
      browser.off('context', watch);
      const { unexpected } = complaints;
      if (unexpected.length > 0)
        throw new Error(
          `Pages complained during the test:\n${unexpected.map((text) => `- ${text}`).join('\n')}`,
        );
    },
    { auto: true },
  ],
});
