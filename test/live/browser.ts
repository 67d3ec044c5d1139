import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from 'playwright';
import { chromiumArgs, findChromium } from '../../scripts/chromium.mjs';
import { headersFor } from '../../scripts/headers.mjs';
import { startSite, type Site } from '../../scripts/site-server.mjs';
import { errorText } from './error-text.ts';
import { NotHere, type World } from './question.ts';

const folder = fileURLToPath(new URL('../../dist', import.meta.url));
const COMMAND_MS = 180_000;
/** Browsers with a language model of their own, as Playwright calls their installed versions. */
const CHANNELS = ['chrome', 'chrome-beta', 'msedge'];

/** The built app and the browsers of this machine, opened when a question first needs them. */
export class Browsers implements Pick<World, 'run' | 'inBrowsers'> {
  #site: Promise<Site> | undefined;
  #browser: Promise<Browser> | undefined;

  async run(command: string, hosts: readonly string[]) {
    const { url } = await this.#app();
    this.#browser ??= launch({ executablePath: findChromium() });
    const context = await (await this.#browser).newContext();
    try {
      const page = await context.newPage();
      await page.goto(`${url}?automation=1`);
      return await page.evaluate(
        async ({ text, reach, timeout }) => {
          const { vitrine } = window;
          await vitrine.ready;
          await vitrine.configure({
            provider: 'scripted',
            model: 'script',
            script: { version: 1, title: 'None', turns: [{ steps: [{ text: 'Nothing.' }] }] },
            hosts: [...reach],
          });
          return vitrine.workspace.exec(text, { timeoutMs: timeout });
        },
        { text: command, reach: hosts, timeout: COMMAND_MS },
      );
    } finally {
      await context.close();
    }
  }

  async inBrowsers(code: string): Promise<Readonly<Record<string, unknown>>> {
    const { url } = await this.#app();
    const answers: Record<string, unknown> = {};
    const wanted = [
      { name: 'Chromium', executablePath: findChromium() },
      ...CHANNELS.map((channel) => ({ name: channel, channel })),
    ];
    for (const { name, ...options } of wanted) {
      const browser = await launch(options).catch(() => null);
      if (!browser) continue;
      try {
        const page = await browser.newPage();
        // Any document of a secure origin will do.
        await page.goto(new URL('icons/vitrine.svg', url).href);
        answers[`${name} ${browser.version()}`] = await page.evaluate(code);
      } catch (error) {
        answers[`${name} ${browser.version()}`] = errorText(error);
      } finally {
        await browser.close();
      }
    }
    return answers;
  }

  async close(): Promise<void> {
    await (await this.#browser)?.close();
    (await this.#site)?.close();
  }

  #app(): Promise<Site> {
    if (!existsSync(`${folder}/index.html`)) throw new NotHere('The app is not built. Run npx vite build.');
    this.#site ??= startSite({ folder, headersFor, port: 0, previewPort: 0 });
    return this.#site;
  }
}

async function launch({
  executablePath,
  channel,
}: {
  readonly executablePath?: string | undefined;
  readonly channel?: string;
}): Promise<Browser> {
  try {
    return await chromium.launch({
      args: chromiumArgs,
      ...(executablePath !== undefined && { executablePath }),
      ...(channel !== undefined && { channel }),
    });
  } catch (error) {
    throw new NotHere(`No Chromium could be opened: ${errorText(error).split('\n')[0]}`);
  }
}
