import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeOffline } from '../../../test/support/fake-offline.ts';
import { showComponent } from '../../../test/support/stories/show-component.ts';
import { STARTING, type OfflineState } from '../../offline/state.ts';
import OfflineNotices from '../frame/offline/OfflineNotices.svelte';
import { whyNotIsolated } from '../frame/offline/offline-words.ts';
import { Toasts } from '../state/toasts.svelte.ts';
import OfflineSettings from './OfflineSettings.svelte';

function showSettings(state: Partial<OfflineState>): FakeOffline {
  const offline = new FakeOffline(state);
  showComponent(OfflineSettings, {}, { app: { offline }, toasts: new Toasts() });
  return offline;
}
const sizes = { bytes: 3_000_000, ofBytes: 22_000_000 };

test('the settings follow the download to its end', async () => {
  const offline = showSettings({});
  offline.set({ status: 'downloading', ...sizes });
  await expect
    .element(page.getByRole('status'))
    .toHaveTextContent('Downloading for offline use: 3.0 MB of 22.0 MB.');
  offline.set({ works: true, bytes: 6_000_000 });
  await expect.element(page.getByRole('status')).toHaveTextContent(/^Works offline\. Still downloading/);
  offline.set({ status: 'complete', bytes: sizes.ofBytes });
  await expect
    .element(page.getByRole('status'))
    .toHaveTextContent('Works offline: 22.0 MB are kept in this browser.');
  await expect.element(page.getByRole('button')).not.toBeInTheDocument();
});

test('a browser that saves data, and a download that failed, leave it to the person', async () => {
  const offline = showSettings({ status: 'saving-data', ...sizes });
  await page.getByRole('button', { name: 'Download now' }).click();
  offline.set({ status: 'failed', problem: 'QuotaExceededError' });
  await expect.element(page.getByRole('status')).toHaveTextContent('QuotaExceededError');
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(offline.asked).toEqual(['download', 'download']);
});

test('it can be switched off and on, except where something else rules it out', async () => {
  const offline = showSettings({ status: 'complete', works: true });
  const choice = page.getByRole('checkbox', { name: 'Keep Vitrine in this browser for offline use' });
  await choice.click();
  offline.set({ status: 'none', whyNone: 'person' });
  await expect.element(choice).not.toBeChecked();
  await choice.click();
  expect(offline.asked).toEqual([false, true]);
  offline.set({ whyNone: 'site' });
  await expect.element(choice).not.toBeInTheDocument();
  await expect.element(page.getByRole('status')).toHaveTextContent('the owner of this site');
});

test('a newer version is told about, with what a reload stops, and can wait', async () => {
  const offline = new FakeOffline({ isNewer: true });
  showComponent(OfflineNotices, { isWorking: true }, { app: { offline } });
  const notice = page.getByRole('group', { name: 'A new version is ready.' });
  await expect.element(notice).toHaveTextContent('a reload stops its turn');
  await notice.getByRole('button', { name: 'Later' }).click();
  await expect.element(notice).not.toBeInTheDocument();
});

test('why node is off is said in every case', () => {
  expect(whyNotIsolated({ ...STARTING, status: 'none', whyNone: 'insecure' })).toContain('https');
  expect(whyNotIsolated({ ...STARTING, needsReload: true })).toContain('Reload the page');
  expect(whyNotIsolated({ ...STARTING, isFromWorker: true })).toContain('does not isolate it anyway');
  expect(whyNotIsolated(STARTING)).toContain('is about to');
});
