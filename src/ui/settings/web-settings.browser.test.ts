import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FaultError } from '../../base/fault.ts';
import { Listeners } from '../../base/listeners.ts';
import { FakeOffline } from '../../../test/support/fake-offline.ts';
import { showComponent } from '../../../test/support/stories/show-component.ts';
import type { AppHosts, AppWeb } from '../app.ts';
import { Toasts } from '../state/toasts.svelte.ts';
import StorageSettings from './StorageSettings.svelte';
import WebSettings from './WebSettings.svelte';

function showWebSettings() {
  const changed = new Listeners<void>();
  let proxy: string | undefined;
  let reachable: readonly string[] = ['example.com'];
  const web: AppWeb = {
    proxy: () => proxy,
    setProxy: async (text) => {
      if (text === 'wrong') throw new FaultError({ code: 'no-proxy', what: 'This is no proxy.' });
      proxy = text === '' ? undefined : text;
      changed.emit();
    },
    searchKey: () => 'none',
    setSearchKey: async () => undefined,
    forgetSearchKey: async () => undefined,
    onChange: (listener) => changed.add(listener),
  };
  const hosts: AppHosts = {
    hosts: async () => reachable,
    setHosts: async (lines) => {
      if (lines.includes('://'))
        throw new FaultError({ code: 'no-host', what: 'Line 1 is no host.', next: 'Name a host.' });
      return (reachable = lines.split('\n').filter((line) => line !== ''));
    },
    addHosts: async () => undefined,
    wanted: null,
    answer: async () => undefined,
    onChange: (listener) => changed.add(listener),
  };
  const toasts = new Toasts();
  showComponent(WebSettings, {}, { app: { web, hosts }, toasts });
  return { web, hosts, toasts };
}

test('a proxy for fetching is set, refused with the reason, and taken away', async () => {
  const { web, toasts } = showWebSettings();
  const proxy = page.getByLabelText('Proxy for fetching pages');
  await proxy.fill('wrong');
  await userEvent.keyboard('{Tab}');
  await expect.poll(() => toasts.all.map(({ text }) => text)).toEqual(['This is no proxy.']);
  await proxy.fill('https://p.example/?{url}');
  await userEvent.keyboard('{Tab}');
  await expect.poll(() => web.proxy()).toBe('https://p.example/?{url}');
  await proxy.fill('');
  await userEvent.keyboard('{Tab}');
  await expect.poll(() => web.proxy()).toBeUndefined();
});

test('hosts that programs may reach are named, with the reason beside a line that is none', async () => {
  const { hosts } = showWebSettings();
  const field = page.getByRole('textbox', { name: 'Hosts that programs may reach' });
  await expect.element(field).toHaveValue('example.com');
  await field.fill('https://example.org');
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByRole('alert').filter({ hasText: 'Line 1 is no host.' })).toBeVisible();
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  expect(await hosts.hosts()).toEqual(['example.com']);
  await field.fill('example.com\n\n*.example.org');
  await userEvent.keyboard('{Tab}');
  await expect.poll(() => hosts.hosts()).toEqual(['example.com', '*.example.org']);
  await expect.element(field).toHaveAttribute('aria-invalid', 'false');
  await expect.element(field).toHaveValue('example.com\n*.example.org');
});

test('the settings say how much is stored', async () => {
  const changed = new Listeners<void>();
  const storage = {
    persistent: true,
    problem: null,
    usage: async () => ({ used: 31_400_000, quota: 2_000_000_000 }),
    onChange: (listener: () => void) => changed.add(listener),
  };
  showComponent(StorageSettings, {}, { app: { storage, offline: new FakeOffline() }, toasts: new Toasts() });
  await expect.element(page.getByText(/31\.4 MB used of 2\.0 GB/)).toBeVisible();
});
