import type { Page } from '@playwright/test';
import type { Script } from '../../src/models/types.ts';
import { axeFindings } from './accessible.ts';
import { configure, openApp, script } from './app.ts';
import { expect } from './test.ts';

/** The windows in which every state is checked, and the options that make them. */
export const WINDOWS = [
  ['light', { colorScheme: 'light' }],
  ['a phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
  ['a window of 1280 by 720 at 200 %', { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 }],
] as const;

/** Every finding of axe in this state, by day or by night, fails the test, which then goes on to the next state. */
export async function check(page: Page, state: string): Promise<void> {
  expect.soft(await axeFindings(page), state).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect.soft(await axeFindings(page, { rules: ['color-contrast'] }), `${state}, dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** The same in a window and on a phone, for states that are dear to reach. */
export async function checkEverywhere(page: Page, state: string): Promise<void> {
  await check(page, state);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  await check(page, `${state}, on a phone`);
  if (size) await page.setViewportSize(size);
}

/** Opens the app with a model that answers with these turns, in a workspace with these files. */
export async function begin(
  page: Page,
  files: Readonly<Record<string, string>>,
  turns: Script['turns'],
  permission: unknown = 'allow',
): Promise<void> {
  await openApp(page, '/?automation=1&offline=off&workspace=embedded');
  await configure(page, {
    provider: 'scripted',
    model: 'script',
    permission,
    script: { ...script(), files, turns },
  });
}

/** Runs a command of the page as somebody without its key does. */
export async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  const all = page.getByRole('dialog', { name: 'All commands' });
  await page.getByRole('combobox', { name: 'Command' }).fill(name);
  await all.getByRole('option', { name }).first().click();
}
