import type { Page } from '@playwright/test';
import { start } from '../support/model-server/server.ts';
import { fakeOpenRouter, type FakeOpenRouter } from '../support/openrouter/server.ts';
import { axeFindings } from './accessible.ts';
import { openSettings, send } from './app.ts';
import { expect, test } from './test.ts';

const job = { version: 1, turns: [{ steps: [{ text: 'For nothing at all.' }] }] };

/**
 * Lets the browser find the fake behind the real name. The app knows the real address alone, so that nothing can lead
 * a key elsewhere. `models` answers what is sent to models.
 */
async function behindTheName(page: Page, fake: FakeOpenRouter, models: string): Promise<void> {
  await page.route('https://openrouter.ai/**', async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const url = pathname.endsWith('/chat/completions')
      ? models + pathname.replace('/api', '')
      : fake.url + pathname;
    const response = await route.fetch({ url: url + search }).catch(() => undefined);
    const answered = response ? route.fulfill({ response }) : route.abort('connectionreset');
    // A page that has been left meanwhile no longer waits for the answer.
    await answered.catch(() => undefined);
  });
}

test('from the first page to an answer of a free model, and signed out again', async ({ page }) => {
  const fake = await fakeOpenRouter();
  const server = await start({ script: job, key: fake.key });
  await behindTheName(page, fake, server.url);
  await page.goto('/');
  await page.getByRole('button', { name: 'Use a free model' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const signIn = settings.getByRole('button', { name: 'Sign in with OpenRouter' });
  await signIn.click();
  await page.getByRole('link', { name: 'Authorize' }).click();
  await expect(settings.getByText('Prompts go to lab/tiny:free, which is free.')).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
  expect(await axeFindings(page, { within: '.sheet' })).toEqual([]);
  // Free ones come first in the list, and those that cannot use tools not at all.
  await expect
    .poll(() =>
      settings.locator('datalist option').evaluateAll((all) => all.map((each) => each.getAttribute('value'))),
    )
    .toEqual(['lab/narrow:free', 'lab/tiny:free', 'lab/large']);
  await page.keyboard.press('Escape');
  await send(page, 'Hello');
  await expect(page.getByRole('article').last()).toContainText('For nothing at all.');

  const stored = await page.evaluate(() => ({ tab: { ...sessionStorage }, device: { ...localStorage } }));
  expect(JSON.stringify(stored.tab)).toContain(fake.key);
  expect(JSON.stringify(stored.tab)).not.toMatch(/verifier|sign-in/);
  expect(JSON.stringify(stored.device)).not.toContain(fake.key);

  await openSettings(page);
  await settings.getByRole('button', { name: 'Sign out of OpenRouter' }).click();
  await expect(settings.getByText('The key is forgotten here.')).toBeVisible();
  await expect(settings.getByRole('link', { name: 'openrouter.ai/settings/keys' })).toBeVisible();
  expect(JSON.stringify(await page.evaluate(() => ({ ...sessionStorage })))).not.toContain(fake.key);
  await Promise.all([server.close(), fake.close()]);
});

test('a refusal, a lost connection and a link of somebody else are told apart, and another try helps', async ({
  page,
}) => {
  const fake = await fakeOpenRouter();
  await behindTheName(page, fake, fake.url);
  await page.goto('/?settings=models');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Sign in with OpenRouter' }).click();
  await page.getByRole('link', { name: 'Deny' }).click();
  await expect(settings).toContainText('it was refused or cancelled there');
  fake.faults.push({ kind: 'cut' });
  await settings.getByRole('button', { name: 'Sign in with OpenRouter' }).click();
  await page.getByRole('link', { name: 'Authorize' }).click();
  await expect(settings).toContainText('OpenRouter cannot be reached to finish the sign-in.');
  await settings.getByRole('button', { name: 'Try again' }).click();
  await expect(settings.getByText('Prompts go to lab/tiny:free, which is free.')).toBeVisible();

  await page.goto('/?sign-in=a-state&code=a-code-of-somebody');
  await expect(settings).toContainText('This tab did not begin the sign-in');
  expect(page.url()).not.toContain('a-code-of-somebody');
  expect(fake.exchanges).toHaveLength(2);
  await fake.close();
});
