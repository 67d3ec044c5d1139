import { expect, type Page } from '@playwright/test';

/** The Terminal tab as a person with a screen reader has it: its rows as text, and the keyboard. */
export class TerminalPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Shows the tab and waits for the prompt. */
  async open(): Promise<void> {
    await this.#page.getByRole('tab', { name: 'Terminal' }).click();
    await expect(this.#page.getByRole('textbox', { name: 'Terminal input' })).toBeAttached();
    await this.expectText(/\$\s*$/);
  }

  /** Types a command and Enter. */
  async run(command: string): Promise<void> {
    await this.type(command);
    await this.press('Enter');
  }

  async type(text: string): Promise<void> {
    await this.#input.focus();
    await this.#page.keyboard.type(text);
  }

  /** A key as Playwright names it, such as `Control+C`. */
  async press(key: string): Promise<void> {
    await this.#input.focus();
    await this.#page.keyboard.press(key);
  }

  /** The rows on the screen, joined by newlines, blank ones left out. */
  async text(): Promise<string> {
    const rows = await this.#page
      .getByRole('region', { name: 'Terminal' })
      .getByRole('listitem')
      .allTextContents();
    return rows
      .map((row) => row.trimEnd())
      .filter((row) => row !== '')
      .join('\n');
  }

  /** Waits until the screen holds `expected`; screen readers are told up to a second late. */
  async expectText(expected: string | RegExp): Promise<void> {
    const poll = expect.poll(() => this.text());
    await (typeof expected === 'string' ? poll.toContain(expected) : poll.toMatch(expected));
  }

  get #input() {
    return this.#page.getByRole('textbox', { name: 'Terminal input' });
  }
}
