import { defineConfig } from '@playwright/test';
import { chromiumArgs, findHeadlessChromium } from './scripts/chromium.mjs';

const executablePath = findHeadlessChromium();
/** Its own for each checkout that tests at the same time: a server that runs already is taken as it is. */
const port = Number(process.env.E2E_PORT ?? 4391);

/** End-to-end tests on the built app: `npm test` builds first; alone, run `npm run build` before. */
export default defineConfig({
  testDir: 'test/e2e',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // The machine may be shared: what passes only on the second try is reported as flaky.
  retries: process.env.CI ? 1 : 0,
  // A test that takes so long hangs. The limit is far from what tests usually take, because some machines are four times slower.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? 'test-results/report.json' }],
  ],
  use: {
    baseURL: `http://localhost:${port}`,
    launchOptions: { ...(executablePath && { executablePath }), args: chromiumArgs },
    // A first visit is what tests are about; test/e2e/offline.spec.ts alone has the service worker.
    serviceWorkers: 'block',
    // To record every test doubles what each one computes.
    trace: 'on-first-retry',
  },
  webServer: {
    command: 'node scripts/serve.mjs',
    env: { PORT: String(port), PREVIEW_PORT: String(port + 100) },
    url: `http://localhost:${port}`,
    reuseExistingServer: !process.env.CI,
  },
});
