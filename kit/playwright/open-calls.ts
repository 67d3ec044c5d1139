import type { Page } from '@playwright/test';
import { withPlace } from './error-place.ts';
import { callPage, type PageCalls } from './page-calls.ts';

/**
 * Keeps the calls that a test has made and that have not ended. A test that ends before they do has probably forgotten an
 * `await`, and the errors that follow, such as that the page is closed, do not say so.
 */
export class OpenCalls {
  readonly #open = new Map<Promise<unknown>, { readonly title: string; readonly place: Error }>();
  #isOver = false;

  /** Calls a function of the page as {@link callPage} does. Rejects once the test has ended. */
  async call<Name extends keyof PageCalls>(
    page: Page,
    name: Name,
    ...args: Parameters<PageCalls[Name]>
  ): Promise<ReturnType<PageCalls[Name]>> {
    this.requireTest(`${name}()`);
    return callPage(page, name, ...args);
  }

  /** Throws once the test has ended, because the next test may have the page by then. `what` names the call for the error. */
  requireTest(what: string): void {
    if (this.#isOver) throw new Error(`The test that calls ${what} has ended.`);
  }

  /** The fixture calls this after the test, when it has read from the page all that it needs. */
  end(): void {
    this.#isOver = true;
  }

  /** `title` is how the test has written the call. An error of the call names the place in the test that has made it. */
  track<Result>(title: string, call: Promise<Result>): Promise<Result> {
    const place = new Error(title);
    const tracked = call.catch((error: unknown): never => {
      throw withPlace(error, place);
    });
    this.#open.set(tracked, { title, place });
    const ended = () => void this.#open.delete(tracked);
    tracked.then(ended, ended);
    return tracked;
  }

  /** The calls that have not ended, such as those of `agent.prompt(`. */
  titles(start = ''): readonly string[] {
    const titles = [...this.#open.values()].map(({ title }) => title);
    return titles.filter((title) => title.startsWith(start));
  }

  /** Resolves when those that are open now have ended, well or not. */
  async ended(start: string): Promise<void> {
    const open = [...this.#open].filter(([, { title }]) => title.startsWith(start));
    await Promise.allSettled(open.map(([call]) => call));
  }

  /** Returns an error about what has not ended though the test has, if there is something. It names the place of the first call. */
  problem(): Error | undefined {
    const titles = this.titles();
    const [first] = this.#open.values();
    if (!first) return undefined;
    const [each, were] = titles.length > 1 ? ['each of them', 'were'] : ['it', 'was'];
    const other = titles.some((title) => title.startsWith('agent.prompt('))
      ? ' To leave a turn unfinished, end it with `await agent.abort()`.'
      : '';
    const error = new Error(
      `The test ended while ${titles.join(', ')} ${were} still running. Is there an \`await\` before ${each}? ` +
        `Without one a test does not wait, and may pass whatever happens.${other}`,
    );
    withPlace(error, first.place);
    return error;
  }

  /** To be called when the test is over: what fails from now on does so because the page is closed. */
  abandon(): void {
    for (const call of this.#open.keys()) call.catch(() => undefined);
  }
}
