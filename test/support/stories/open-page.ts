import { mount, unmount } from 'svelte';
import { onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import Page from '../../../src/ui/Page.svelte';
import { tabDrafts, type Drafts } from '../../../src/ui/state/drafts.ts';
import type { Painter } from '../../../src/ui/state/painter.ts';
import type { Preferences } from '../../../src/ui/state/preferences.ts';
import { createStores, type Stores } from '../../../src/ui/state/stores.ts';
import '../../../src/ui/styles/index.css';
import type { FakeApp } from './fake-app.ts';

export const wide = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

/** The whole page over `app`, opened at a session, gone when the test ends. */
export async function openPage(
  app: FakeApp,
  sessionID?: string,
  options: {
    readonly size?: { width: number; height: number };
    readonly painter?: Painter;
    readonly drafts?: Drafts;
  } = {},
): Promise<Stores> {
  const { size = wide, painter } = options;
  await page.viewport(size.width, size.height);
  history.replaceState(null, '', sessionID ? `#/session/${sessionID}` : location.pathname);
  const target = document.createElement('div');
  target.style.cssText = 'position: fixed; inset: 0';
  document.body.append(target);
  const stores = createStores(app, {
    preferences: memoryPreferences(),
    drafts: options.drafts ?? pageDrafts(),
    choices: pageDrafts(),
    ...(painter && { painter }),
  });
  const component = mount(Page, { target, props: { stores } });
  onTestFinished(async () => {
    stores.close();
    await unmount(component);
    target.remove();
  });
  const { view } = stores;
  await view.openAddress(location.hash);
  // It is fetched when a session has something in it.
  if (view.session && view.session.messages.length > 0)
    await vi.waitUntil(() => target.querySelector('[role="log"]'), { timeout: 15_000 });
  return stores;
}

/** Drafts of this page alone: no test finds what another has typed. */
function pageDrafts(): Drafts {
  return tabDrafts(() => {
    throw new Error('No storage.');
  });
}

function memoryPreferences(): Preferences {
  const held = new Map<string, string>();
  return { get: (key) => held.get(key) ?? null, set: (key, value) => void held.set(key, value) };
}
