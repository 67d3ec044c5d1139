import type { Browser } from '@playwright/test';
import { messageOf } from '../../src/base/message-of.ts';
import { serveApp } from '../server/app-server.ts';

/**
 * Serves the app and starts Playwright's Chromium without a window, until `use` is done. `command` is named if Playwright is not
 * installed. Rejects with what to do if the browser does not start.
 */
export async function withBrowser<T>(
  command: string,
  use: (browser: Browser, url: string) => Promise<T>,
): Promise<T> {
  const browser = await launchBrowser(command);
  try {
    const site = await serveApp();
    try {
      return await use(browser, site.url);
    } finally {
      site.close();
    }
  } finally {
    await browser.close();
  }
}

async function launchBrowser(command: string): Promise<Browser> {
  const { chromium } = await import('@playwright/test').catch(() => {
    throw new Error(`"${command}" needs @playwright/test. Install it: npm i -D @playwright/test`);
  });
  const options = {
    // A container often runs as root and has no sandbox; CHROMIUM_PATH names a browser that is there already.
    ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
    chromiumSandbox: process.getuid?.() !== 0,
  };
  return chromium.launch(options).catch((error: unknown) => {
    const [reason] = messageOf(error).split('\n');
    throw new Error(
      `Chromium did not start: ${reason}\nInstall it with "npx playwright install chromium", or name the one of this machine in CHROMIUM_PATH.`,
    );
  });
}
