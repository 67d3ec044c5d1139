import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';
import { bytes } from '../../format.ts';
import { tabModelWords as words } from './tab-model-words.ts';

let app: FakeApp;
beforeEach(() => {
  app = new FakeApp();
  app.modelChoice = null;
  app.space('w', 'csv-totals');
  app.add(new FakeSession('ses_a', 'w', 'First'));
});

test('a model says what it takes, is paused, fetched on, chosen and removed', async () => {
  const stores = await openPage(app, 'ses_a');
  stores.dialogs.openSettings();
  await expect.element(page.getByText(words.facts('100', '200', 'Apache-2.0', '0.5'))).toBeVisible();
  expect(app.calls.some(([name]) => name === 'downloadTabModel')).toBe(false);

  await page.getByRole('button', { name: words.download('Tiny') }).click();
  await expect.element(page.getByText(words.amount(bytes(50_000_000), bytes(200_000_000)))).toBeVisible();
  await page.getByRole('button', { name: words.stop }).click();
  await expect.element(page.getByText(words.partly(bytes(50_000_000)))).toBeVisible();
  expect(page.getByRole('alert').query()).toBeNull();

  await page.getByRole('button', { name: words.goOn('Tiny') }).click();
  await page.getByRole('button', { name: words.use('Tiny') }).click();
  await expect.element(page.getByText(words.used('Tiny'))).toBeVisible();
  expect(app.calls).toContainEqual(['choose', { provider: 'browser', model: 'lab/tiny' }, undefined]);

  const picked = new DataTransfer();
  for (const name of ['config.json', 'model.onnx']) picked.items.add(new File(['x'], name));
  const input = page.getByLabelText(words.files).element();
  if (input instanceof HTMLInputElement) input.files = picked.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await expect.element(page.getByText(words.taken)).toBeVisible();
  expect(app.calls).toContainEqual(['takeTabModel', ['config.json', 'model.onnx']]);

  await page.getByRole('button', { name: words.remove('Tiny') }).click();
  await expect.element(page.getByText(words.removed('Tiny'))).toBeVisible();
  expect(app.calls).toContainEqual(['removeTabModel', 'lab/tiny']);
});

test('a download that fails says so at its row, where it can be gone on with, and is listed once', async () => {
  app.tabModelFault = { code: 'unreachable', what: 'huggingface.co cannot be reached.' };
  const { dialogs } = await openPage(app, 'ses_a');
  dialogs.openSettings();
  await page.getByRole('button', { name: words.download('Tiny') }).click();
  const rows = page.getByRole('listitem').filter({ hasText: 'Tiny' });
  const goOn = rows.getByRole('button', { name: words.goOn('Tiny') });
  await expect.element(goOn).toHaveFocus();
  expect(rows.elements()).toHaveLength(1);
  await expect.element(rows.getByRole('alert')).toHaveTextContent(/^huggingface\.co cannot be reached\.$/);
  await expect.element(rows.getByRole('alert')).toBeInViewport();
  app.tabModelFault = null;
  await goOn.click();
  await page.getByRole('button', { name: words.use('Tiny') }).click();
  await expect.element(page.getByText(words.used('Tiny'))).toBeVisible();
  expect(page.getByRole('alert').query()).toBeNull();
});
