import type { Page } from '@playwright/test';
import { openApp, openSettings, script, useScript } from './app.ts';
import { expect, test } from './test.ts';

const separator = (page: Page, name: string) => page.getByRole('separator', { name });
const widthOf = async (page: Page, selector: string) =>
  Math.round((await page.locator(selector).boundingBox())?.width ?? 0);

test('the panes are made wider by keys and by dragging, and stay so', async ({ page }) => {
  await openApp(page);
  const line = separator(page, 'Width of the workbench');
  const before = await widthOf(page, '.bench');
  await line.focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(() => widthOf(page, '.bench')).toBe(before + 64);
  await expect(line).toHaveAttribute('aria-valuenow', String(before + 64));

  const box = await line.boundingBox();
  if (!box) throw new Error('The line is not shown.');
  await page.mouse.move(box.x + box.width / 2, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x - 60, box.y + 200, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => widthOf(page, '.bench')).toBeGreaterThan(before + 100);
  const dragged = await widthOf(page, '.bench');

  const sessions = separator(page, 'Width of the list of sessions');
  await sessions.focus();
  await page.keyboard.press('End');
  await expect(sessions).toHaveAttribute(
    'aria-valuenow',
    (await sessions.getAttribute('aria-valuemax')) ?? '',
  );
  await page.keyboard.press('Home');
  await expect(sessions).toHaveAttribute('aria-valuenow', '160');

  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await expect.poll(() => widthOf(page, '.bench')).toBe(dragged);
  await line.dblclick();
  await expect.poll(() => widthOf(page, '.bench')).toBe(before);

  // On a narrow page there is nothing to drag.
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('separator')).toHaveCount(0);
});

/** Browsers show notifications outside of the page, and a test cannot hide a tab: both are answered in the page. */
async function hideable(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shown: { title: string; click: () => void }[] = [];
    let hidden = false;
    class Fake extends EventTarget {
      static permission = 'default';
      static async requestPermission() {
        return (Fake.permission = 'granted');
      }
      constructor(title: string) {
        super();
        shown.push({ title, click: () => this.dispatchEvent(new Event('click')) });
      }
      close() {}
    }
    Object.assign(window, {
      Notification: Fake,
      shown,
      hide: (value: boolean) => {
        hidden = value;
        document.dispatchEvent(new Event('visibilitychange'));
      },
    });
    Object.defineProperty(document, 'hidden', { get: () => hidden });
  });
}
const hide = (page: Page, hidden: boolean) =>
  page.evaluate((value) => (window as Window & { hide?: (value: boolean) => void }).hide?.(value), hidden);
const shown = (page: Page) =>
  page.evaluate(() =>
    ((window as Window & { shown?: { title: string }[] }).shown ?? []).map(({ title }) => title),
  );

test('after something was missed the page offers to notify, and does so from then on', async ({ page }) => {
  await hideable(page);
  await openApp(page);
  const turns = [1, 2].map((n) => ({
    steps: [
      { tools: [{ tool: 'bash', input: { command: `sleep 2; echo ${n}`, description: 'Say a number' } }] },
      { text: `Said ${n}.` },
    ],
  }));
  await useScript(page, { ...script(), title: 'Numbers', turns }, 'ask');
  await page.getByRole('textbox', { name: 'Message' }).fill('First');
  await hide(page, true);
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle(/Waiting/i);
  await hide(page, false);
  await page.getByRole('button', { name: 'Notify me next time' }).click();
  await expect(page.getByText('You are notified when the agent waits')).toBeVisible();
  expect(await shown(page)).toEqual([]);

  await page.getByRole('button', { name: 'Allow once' }).click();
  await hide(page, true);
  await expect.poll(() => shown(page)).toEqual([expect.stringMatching(/: the agent is done$/)]);
  await hide(page, false);

  // The switch in the settings says so, and turns it off.
  await openSettings(page, 'Appearance');
  const box = page.getByRole('checkbox', { name: 'Notify me when the agent waits or is done' });
  await expect(box).toBeChecked();
  await box.uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Message' }).fill('Second');
  await hide(page, true);
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle(/Waiting/i);
  expect(await shown(page)).toHaveLength(1);
});

for (const [width, height] of [
  [360, 740],
  [1280, 800],
] as const)
  test(`a short notice moves nothing and is not in the way of the message box, ${width} wide`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    // A link that is partly wrong is told by such a notice.
    await page.goto('/?automation=1&workspace=docker');
    const notice = page.getByRole('region', { name: 'Notices' }).getByRole('group');
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.fill('Hello');
    await expect(notice).toBeVisible();
    await expect(message).toBeFocused();
    const boxes = async () => {
      const send = page.getByRole('button', { name: 'Send', exact: true });
      return [await send.boundingBox(), await message.boundingBox()];
    };
    const before = await boxes();
    const over = await notice.boundingBox();
    expect((over?.y ?? 0) + (over?.height ?? 0)).toBeLessThan(before[1]?.y ?? 0);
    expect(over?.x).toBeGreaterThanOrEqual(0);
    expect((over?.x ?? 0) + (over?.width ?? 0)).toBeLessThanOrEqual(width);
    await notice.getByRole('button', { name: 'Dismiss' }).click();
    await expect(notice).toHaveCount(0);
    expect(await boxes()).toEqual(before);
  });
