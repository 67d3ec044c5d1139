import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';
import type { BrowserModelState } from '../../app.ts';
import { browserModelWords as words } from './browser-model-words.ts';

async function settings(state: BrowserModelState): Promise<FakeApp> {
  const app = new FakeApp();
  app.browserModelState = state;
  app.modelChoice = null;
  app.space('w', 'csv-totals');
  app.add(new FakeSession('ses_a', 'w', 'First'));
  const stores = await openPage(app, 'ses_a');
  stores.dialogs.openSettings();
  return app;
}

test.for(['none', 'unavailable'] as const)(
  'a browser whose model is "%s" says so and offers nothing',
  async (state) => {
    await settings(state);
    await expect.element(page.getByText(words.states[state])).toBeVisible();
    expect(page.getByRole('button', { name: words.use }).query()).toBeNull();
    expect(page.getByRole('button', { name: words.download }).query()).toBeNull();
  },
);

test('the model is downloaded at a click, and another one takes it', async () => {
  const app = await settings('downloadable');
  await page.getByRole('button', { name: words.download }).click();
  await page.getByRole('button', { name: words.use }).click();
  expect(app.calls.filter(([name]) => name === 'downloadBrowserModel')).toHaveLength(1);
  expect(app.calls).toContainEqual(['choose', { provider: 'browser', model: 'built-in' }, undefined]);
  await expect.element(page.getByText(words.used)).toBeVisible();
});
