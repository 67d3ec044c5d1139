import { start } from '../support/model-server/server.ts';
import { axeFindings } from './accessible.ts';
import { openApp, openSettings, send, showSettings } from './app.ts';
import { expect, test } from './test.ts';

/** A job of one answer, for a model server that stands in for one of this computer. */
const job = { version: 1, turns: [{ steps: [{ text: 'From this very computer.' }] }] };

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

test('a server of this computer is found at a click, one of its models is taken, and answers', async ({
  page,
}) => {
  const server = await start({ script: job, models: ['qwen3', 'llama3.2'] });
  const asked: string[] = [];
  await page.route(/^http:\/\/localhost:(11434|1234|8080|8000|1337)\//, async (route) => {
    const { host, pathname } = new URL(route.request().url());
    asked.push(host);
    if (host !== 'localhost:11434') return route.abort('connectionrefused');
    return route.fulfill({ response: await route.fetch({ url: server.url + pathname }) });
  });
  await page.goto('/');
  await openSettings(page);
  const look = page.getByRole('button', { name: 'Look for models on this computer' });
  await expect(look).toBeVisible();
  expect(asked).toEqual([]);
  await look.click();
  const offered = page.getByRole('list', { name: 'Offered by Ollama' });
  await expect(offered.getByRole('listitem')).toHaveCount(2);
  await expect(page.getByText('Nothing answers at 4 ports')).toBeVisible();
  expect(await axeFindings(page, { within: '.sheet' })).toEqual([]);
  await offered.getByRole('button', { name: 'Use qwen3' }).click();
  await expect(page.getByRole('list', { name: 'Your models' }).getByRole('radio')).toBeChecked();
  await page.keyboard.press('Escape');
  await send(page, 'Hello');
  await expect(page.getByRole('article').last()).toContainText('From this very computer.');
  await server.close();
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
      await openApp(page);
      await page.keyboard.press('ControlOrMeta+,');
      const settings = page.getByRole('dialog', { name: 'Settings' });
      await expect(settings).toBeVisible();
      const check = async (state: string) => {
        expect.soft(await axeFindings(page, { within: '.sheet' }), state).toEqual([]);
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
