import type { Page } from '@playwright/test';
import { axeFindings } from './accessible.ts';
import { openApp, prompt, script, useScript } from './app.ts';
import { expect, test } from './test.ts';

const sessions = (page: Page) => page.getByRole('navigation', { name: 'Sessions' });
const conversation = (page: Page) => page.getByRole('log', { name: 'Conversation' });
const panel = (page: Page, name: string) => page.getByRole('tabpanel', { name });
const shown = async (page: Page) => ({
  sessions: await sessions(page).isVisible(),
  conversation: await conversation(page).isVisible(),
  workbench: await page.getByRole('tablist', { name: 'Workbench' }).isVisible(),
});
const all = { sessions: true, conversation: true, workbench: true };
const widthOf = async (page: Page, selector: string) =>
  Math.round((await page.locator(selector).boundingBox())?.width ?? 0);

async function talk(page: Page, panes = all): Promise<void> {
  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }));
  await prompt(page, 'Hello');
  await expect.poll(() => shown(page)).toEqual(panes);
}

test('layouts are chosen by menu and by keys, hold over a reload, and all panes come back as they were', async ({
  page,
}) => {
  await talk(page);
  await page.getByRole('tab', { name: 'Log' }).click();
  await page.getByRole('button', { name: 'Layouts' }).click();
  await expect(page.getByRole('menuitemradio', { name: 'All panes' })).toBeChecked();
  await page.getByRole('menuitemradio', { name: 'Reviewing' }).click();
  await expect(panel(page, 'Changes')).toBeVisible();
  await expect.poll(() => shown(page)).toEqual({ ...all, sessions: false });
  expect(await widthOf(page, '.bench')).toBeGreaterThan(await widthOf(page, 'main'));

  // Each layout has a width of its own.
  await page.getByRole('separator', { name: 'Width of the workbench' }).focus();
  await page.keyboard.press('ArrowRight');
  const reviewing = await widthOf(page, '.bench');
  await page.keyboard.press('Alt+4');
  await expect(panel(page, 'Inspector')).toBeVisible();
  expect(await widthOf(page, '.bench')).not.toBe(reviewing);
  await page.keyboard.press('Alt+2');
  await expect.poll(() => shown(page)).toEqual({ sessions: false, conversation: true, workbench: false });
  await page.keyboard.press('Alt+3');
  await expect.poll(() => widthOf(page, '.bench')).toBe(reviewing);
  await page.reload();
  await expect(panel(page, 'Changes')).toBeVisible();
  await expect.poll(() => widthOf(page, '.bench')).toBe(reviewing);

  // The same command a second time leads back.
  await page.keyboard.press('Alt+3');
  await expect(panel(page, 'Log')).toBeVisible();
  await expect.poll(() => shown(page)).toEqual(all);
});

test('each pane can fill the page, and Escape leads back', async ({ page }) => {
  await talk(page);
  await page.getByRole('button', { name: 'Fill the page with the workbench' }).click();
  await expect.poll(() => shown(page)).toEqual({ sessions: false, conversation: false, workbench: true });
  expect(await widthOf(page, '.bench')).toBe(await page.evaluate(() => innerWidth));
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => shown(page)).toEqual(all);

  const box = page.getByRole('textbox', { name: 'Message' });
  await box.focus();
  await page.keyboard.press('ControlOrMeta+Shift+x');
  await expect.poll(() => shown(page)).toEqual({ sessions: false, conversation: true, workbench: false });
  await expect(box).toBeFocused();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => shown(page)).toEqual(all);

  await page.getByRole('button', { name: 'Fill the page with the list of sessions' }).click();
  await expect.poll(() => shown(page)).toEqual({ sessions: true, conversation: false, workbench: false });
  // A pane that is asked for is shown, and no visit begins with one pane.
  await page.keyboard.press('Alt+1');
  await expect.poll(() => shown(page)).toEqual(all);
  await page.getByRole('button', { name: 'Fill the page with the conversation' }).click();
  await page.reload();
  await expect.poll(() => shown(page)).toEqual(all);
});

test('a phone has neither layouts nor panes that fill it', async ({ page }) => {
  await talk(page);
  await page.keyboard.press('Alt+2');
  await page.getByRole('button', { name: 'Show all panes again' }).waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('button', { name: 'Layouts' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Fill the page/ })).toHaveCount(0);
  await page.getByRole('tab', { name: 'Sessions' }).click();
  await expect(sessions(page).getByRole('link')).toHaveCount(1);
  await page.keyboard.press('Alt+3');
  await expect(sessions(page)).toBeVisible();
});

test('half a screen shows the sessions when they are asked for, and keeps to what the person chose', async ({
  page,
}) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  const alone = { ...all, sessions: false };
  await talk(page, alone);
  expect(await widthOf(page, '.bench')).toBeGreaterThan(300);
  expect(await axeFindings(page)).toEqual([]);

  // A layout is no choice about the list of sessions, and neither is the workbench.
  await page.keyboard.press('Alt+3');
  await page.keyboard.press('Alt+3');
  await page.getByRole('button', { name: 'Show or hide the workbench' }).click();
  await page.getByRole('button', { name: 'Show or hide the workbench' }).click();
  await page.reload();
  await expect.poll(() => shown(page)).toEqual(alone);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => shown(page)).toEqual(all);

  await page.setViewportSize({ width: 768, height: 1024 });
  await page.getByRole('button', { name: 'Show or hide sessions' }).click();
  await expect.poll(() => shown(page)).toEqual(all);
  await page.reload();
  await expect.poll(() => shown(page)).toEqual(all);
});
