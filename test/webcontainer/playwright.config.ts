import { defineConfig } from '@playwright/test';

/** Only for `npm run test:webcontainer`: it needs StackBlitz's hosts. */
export default defineConfig({
  testDir: '.',
  testMatch: 'live.spec.ts',
  outputDir: '../../test-results/webcontainer',
  timeout: 0,
  workers: 1,
  reporter: 'line',
});
