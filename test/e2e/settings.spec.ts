import { AxeBuilder } from '@axe-core/playwright';
import { openApp, showSettings } from './app.ts';
import { expect, test } from './test.ts';

const NAMES = ['Models', 'Permissions', 'Workspace', 'Tools and servers', 'Appearance', 'Storage', 'About'];

test('a link opens a page of the settings, and a reload after they are closed does not', async ({ page }) => {
  await page.goto('/?settings=appearance');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expect(settings.getByLabel('Theme')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(settings).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Watch a demo' })).toBeVisible();
  await expect(settings).toHaveCount(0);
});

for (const [name, options] of [
  ['light', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
  ['dark', { colorScheme: 'dark', viewport: { width: 1280, height: 800 } }],
  ['360 px', { colorScheme: 'light', viewport: { width: 360, height: 740 }, hasTouch: true }],
  ['360 px, dark', { colorScheme: 'dark', viewport: { width: 360, height: 740 }, hasTouch: true }],
] as const) {
  test.describe(name, () => {
    test.use(options);

    test('axe finds nothing on any page of the settings, and none is wider than the screen', async ({
      page,
    }) => {
      test.setTimeout(120_000);
      await openApp(page);
      await page.keyboard.press('ControlOrMeta+,');
      const settings = page.getByRole('dialog', { name: 'Settings' });
      await expect(settings).toBeVisible();
      const check = async (state: string) => {
        const { violations } = await new AxeBuilder({ page }).include('.sheet').analyze();
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
        expect.soft(found, state).toEqual([]);
        const wide = await settings.evaluate((sheet) =>
          [sheet, ...sheet.querySelectorAll('.pages, .ways')].some(
            ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
          ),
        );
        expect.soft(wide, state).toBe(false);
      };
      for (const each of NAMES) {
        await showSettings(page, each);
        await check(each);
      }
      await settings.getByRole('searchbox', { name: 'Search settings' }).fill('size');
      await expect(settings.getByRole('listitem')).toHaveCount(2);
      await check('a search');
    });
  });
}
