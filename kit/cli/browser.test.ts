import { afterEach, expect, test, vi } from 'vitest';
import { withBrowser } from './browser.ts';

afterEach(() => vi.unstubAllEnvs());

test('without a browser it ends, leaves no server behind and says how to get one', async () => {
  vi.stubEnv('CHROMIUM_PATH', '/nowhere/chromium');
  const servers = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
  const before = servers();
  const started = withBrowser('run', async () => 'used');
  await expect(started).rejects.toThrow(
    /did not start: .*\n.*npx playwright install chromium.*CHROMIUM_PATH/,
  );
  expect(servers()).toBe(before);
});
