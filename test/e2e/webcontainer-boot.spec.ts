import { expect, test } from '@playwright/test';
import type { Knobs } from '../support/webcontainer/knobs.ts';
import { fakeRuntime } from './runtime.ts';

/** Each is a boot that the client alone would wait for without end. The longest limit is 30 s. */
const cases: readonly (readonly [string, Partial<Knobs>, RegExp])[] = [
  ['a page that is not there', { page: 'missing' }, /not with a WebContainer for this site/],
  ['a page that never says anything', { page: 'mute' }, /not with a WebContainer for this site/],
  ['a server that never answers', { page: 'silent' }, /took the connection and does not answer/],
  ['a frame without COEP', { coep: false }, /headers do not fit|not with a WebContainer|cannot be reached/],
  ['a frame without CORP', { corp: false }, /headers do not fit|cannot be reached/],
  ['a runtime that does not start', { buildHangs: true }, /was loaded but has not started/],
];

for (const [name, knobs, told] of cases) {
  test(`${name} is told, and the embedded workspace goes on`, async ({ page }) => {
    await fakeRuntime(page, knobs);
    await page.goto('/');
    await page.getByRole('button', { name: 'New workspace' }).click();
    const status = page.getByRole('status', { name: 'Workspace' });
    await expect(status).toContainText('Embedded');
    await expect(status).toContainText(told, { timeout: 45_000 });
  });
}

test('no network is told at once, and nobody is asked', async ({ page }) => {
  const { asked } = await fakeRuntime(page);
  await page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { get: () => false }));
  await page.goto('/');
  await page.getByRole('button', { name: 'New workspace' }).click();
  await expect(page.getByRole('status', { name: 'Workspace' })).toContainText('The browser is offline');
  expect(asked).toEqual([]);
});

test('a name that nobody knows is told', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'New workspace' }).click();
  await expect(page.getByRole('status', { name: 'Workspace' })).toContainText('cannot be reached', {
    timeout: 20_000,
  });
});

test('a policy that refuses the frame is told', async ({ page }) => {
  await fakeRuntime(page);
  await page.route('/', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(' https://stackblitz.com;', ';');
    await route.fulfill({ response, body });
  });
  await page.goto('/');
  await page.getByRole('button', { name: 'New workspace' }).click();
  await expect(page.getByRole('status', { name: 'Workspace' })).toContainText('policy does not let it');
});
