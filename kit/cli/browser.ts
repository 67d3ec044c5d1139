import type { Browser } from '@playwright/test';

/** Starts Playwright's Chromium without a window. `command` is named if Playwright is not installed. */
export async function launchBrowser(command: string): Promise<Browser> {
  const { chromium } = await import('@playwright/test').catch(() => {
    throw new Error(`"${command}" needs @playwright/test. Install it: npm i -D @playwright/test`);
  });
  return chromium.launch({
    // A container often runs as root and has no sandbox; CHROMIUM_PATH names a browser that is there already.
    ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
    chromiumSandbox: process.getuid?.() !== 0,
  });
}
