import type { Page } from '@playwright/test';
import type { TestTool } from '../playwright/agent.ts';
import { agentName, textOfResult } from './results.ts';
import { offerModelContext } from './stand-in.ts';

/** A tool as a page offers it. */
interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly schema?: Record<string, unknown>;
}

/** A tool that the agent has now. */
interface GivenTool {
  /** The tool as JSON, to see whether it has changed. */
  readonly as: string;
  readonly takeBack: () => Promise<void>;
}

type GiveTool = (tool: TestTool) => Promise<() => Promise<void>>;

const BINDING = 'vitrineKitToolsChanged';

/** Gives the tools that a page offers through WebMCP to an agent, and takes back those that the page takes back. */
export class PageTools {
  readonly #page: Page;
  readonly #give: GiveTool;
  readonly #prefix: string;
  readonly #given = new Map<string, GivenTool>();
  #refreshing: Promise<void> = Promise.resolve();

  private constructor(page: Page, give: GiveTool, prefix: string) {
    this.#page = page;
    this.#give = give;
    this.#prefix = prefix;
  }

  /** Rejects if the page was opened already and cannot offer tools. */
  static async connect(page: Page, give: GiveTool, prefix: string): Promise<PageTools> {
    const tools = new PageTools(page, give, prefix);
    // A refresh fails while the page is being left. Any other failure comes again with the refresh before the next prompt.
    const again = () => void tools.refresh().catch(() => undefined);
    await page.exposeFunction(BINDING, again);
    await page.addInitScript({ content: `(${String(offerModelContext)})();` });
    await page.addInitScript(watchTools, BINDING);
    if (page.url() !== 'about:blank' && !(await page.evaluate(watchTools, BINDING)))
      throw new Error(
        `The page ${page.url()} has no document.modelContext. Call agent.usePage(page) before page.goto(), or start ` +
          'Chromium with --enable-features=WebMCP. The page must be at https or at an address of this machine.',
      );
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) again();
    });
    await tools.refresh();
    return tools;
  }

  /** Resolves when the agent has the tools that the page offers now. */
  refresh(): Promise<void> {
    const refreshed = this.#refreshing.then(() => this.#refresh());
    this.#refreshing = refreshed.catch(() => undefined);
    return refreshed;
  }

  async #refresh(): Promise<void> {
    const offered = this.#page.isClosed() ? [] : await this.#inPage(() => this.#page.evaluate(offeredTools));
    const wanted = new Map(offered.map((tool) => [agentName(tool.name, this.#prefix), tool]));
    if (wanted.size < offered.length)
      throw new Error(
        `Two tools of the page would have the same name: ${offered.map(({ name }) => name).join(', ')}.`,
      );
    for (const [name, { as, takeBack }] of this.#given) {
      if (JSON.stringify(wanted.get(name)) === as) continue;
      this.#given.delete(name);
      await takeBack();
    }
    for (const [name, tool] of wanted) {
      if (this.#given.has(name)) continue;
      const { name: called, ...about } = tool;
      const takeBack = await this.#give({ ...about, name, execute: (input) => this.#call(called, input) });
      this.#given.set(name, { as: JSON.stringify(tool), takeBack });
    }
  }

  /** Asks again once the next page has loaded, if the page was left meanwhile. */
  async #inPage<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!isLeaving(error)) throw error;
      await this.#page.waitForLoadState();
      return ask();
    }
  }

  async #call(name: string, input: Record<string, unknown>): Promise<{ readonly output: string }> {
    const from = this.#page.url();
    try {
      const called = await this.#page.evaluate(callTool, [name, input] as const);
      if ('failure' in called) throw new Error(called.failure);
      return { output: textOfResult(called.result) };
    } catch (error) {
      // A tool may lead to another page, which ends its code before it returns.
      if (!isLeaving(error) || this.#page.isClosed()) throw error;
      // Asked for in the page, since Playwright hears of the new address a moment later.
      const to = await this.#inPage(() => this.#page.evaluate(() => location.href));
      return { output: `The page went from ${from} to ${to} before the tool returned.` };
    } finally {
      // A call often changes what the page offers, and the next request is to have it.
      await this.refresh();
    }
  }
}

const isLeaving = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('Execution context was destroyed');

/** Tells whenever the tools of this document change. Returns whether it can offer any. Runs in the page. */
function watchTools(binding: string): boolean {
  const context: unknown = Reflect.get(document, 'modelContext') ?? Reflect.get(navigator, 'modelContext');
  if (!(context instanceof EventTarget) || window !== window.top) return false;
  context.addEventListener('toolchange', () => void Reflect.get(window, binding)());
  return true;
}

/** Lists the tools of this document. Runs in the page. */
async function offeredTools(): Promise<OfferedTool[]> {
  const context = Reflect.get(document, 'modelContext') ?? Reflect.get(navigator, 'modelContext');
  const tools: readonly Record<string, unknown>[] = (await context?.getTools?.()) ?? [];
  return tools
    .filter(({ window: owner }) => owner === undefined || owner === window)
    .map(({ name, description, inputSchema }) => {
      // Older versions of Chromium give the schema as text.
      const schema =
        typeof inputSchema === 'string' && inputSchema !== '' ? JSON.parse(inputSchema) : inputSchema;
      return {
        ...{ name: String(name), description: String(description) },
        ...(typeof schema === 'object' && schema !== null && { schema: JSON.parse(JSON.stringify(schema)) }),
      };
    });
}

/** Calls a tool of this document. Runs in the page. */
async function callTool([name, input]: readonly [string, Record<string, unknown>]): Promise<
  { readonly result: unknown } | { readonly failure: string }
> {
  const context = Reflect.get(document, 'modelContext') ?? Reflect.get(navigator, 'modelContext');
  const tools: readonly Record<string, unknown>[] = (await context?.getTools?.()) ?? [];
  const tool = tools.find(
    (each) => each['name'] === name && (each['window'] === undefined || each['window'] === window),
  );
  if (!tool) return { failure: `The page no longer offers the tool ${name}.` };
  const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
  try {
    return { result: await context.executeTool(tool, input) };
  } catch (error) {
    if (!messageOf(error).includes('Failed to parse input')) return { failure: messageOf(error) };
  }
  try {
    // Older versions of Chromium take the input as text.
    return { result: await context.executeTool(tool, JSON.stringify(input)) };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}
