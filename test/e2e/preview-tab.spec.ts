import type { Page } from '@playwright/test';
import { begin, panel, run, showIndex, tab, take, WAYS, type Way } from './preview-pages.ts';
import { expect, test } from './test.ts';

// The preview's own service worker answers for its pages.
test.use({ serviceWorkers: 'allow' });

const PAGE = `<!doctype html><title>Shop</title><h1>Shop</h1><button>Buy</button><output>0</output>
  <script>
    document.querySelector('button').onclick = () => {
      document.querySelector('output').textContent++;
      console.log('bought');
    };
    const tries = [() => opener.document.title, () => parent.opener.document.title, () => top.document.title];
    document.body.dataset.reached = tries.map((each) => { try { return each(); } catch { return 'no'; } }).join();
  </script>`;

/** Returns the page that is shown in a tab of its own. */
const shownIn = (own: Page, way: Way) =>
  way === 'without an origin'
    ? own.frameLocator('iframe:visible')
    : own.frameLocator('iframe[title="Preview"]').frameLocator('iframe[title="Page"]');

async function openTab(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await take(page, 'menuitem', 'Open in a tab of its own');
  return opened;
}

for (const way of WAYS)
  test(`a page ${way} is shown in a tab of its own, where the agent uses it, too`, async ({ page }) => {
    await begin(page, { 'index.html': PAGE }, way);
    await showIndex(page);
    const own = await openTab(page);
    const shown = shownIn(own, way);
    await shown.getByRole('button', { name: 'Buy' }).click();
    await expect(shown.getByRole('status')).toHaveText('1');
    await expect(own).toHaveTitle('Shop');
    await expect(panel(page).getByText('shown in a tab of its own')).toBeVisible();
    // Nothing of the app is within its reach.
    await expect(shown.locator('body')).toHaveAttribute('data-reached', 'no,no,no');

    // The whole tab is the page's, and the agent acts in it.
    const room = await shown.locator('html').evaluate(() => [innerWidth, innerHeight]);
    expect(room).toEqual(await own.evaluate(() => [innerWidth, innerHeight]));
    const { output } = await page.evaluate(() =>
      window.vitrine.tools.call('preview', { operation: 'snapshot' }),
    );
    const ref = /button "Buy".*\[ref=(e\d+)\]/.exec(output)?.[1] ?? '';
    await page.evaluate((ref) => window.vitrine.tools.call('preview', { operation: 'click', ref }), ref);
    await expect(shown.getByRole('status')).toHaveText('2');

    // Asked for again, the same tab comes to the front, and nothing in it is lost.
    await take(page, 'menuitem', 'Open in a tab of its own');
    expect(page.context().pages()).toHaveLength(2);
    await expect(shown.getByRole('status')).toHaveText('2');

    // It can be reloaded as any tab.
    await own.reload();
    await expect(shown.getByRole('status')).toHaveText('0');
    await expect(own).toHaveTitle('Shop');

    await own.close();
    const back = page.locator('[title="Page in the preview"]');
    await expect(back).toBeVisible();
    await expect(panel(page).getByText('in a tab of its own')).toHaveCount(0);
  });

test('a page in a tab of its own has a history', async ({ page }) => {
  const other = '<!doctype html><title>Other</title><h1>Other</h1>';
  await begin(page, { 'index.html': `${PAGE}<a href="other.html">Other</a>`, 'other.html': other });
  await showIndex(page);
  const own = await openTab(page);
  const shown = shownIn(own, 'on an origin of its own');
  await shown.getByRole('link', { name: 'Other' }).click();
  await expect(shown.getByRole('heading')).toHaveText('Other');
  await own.evaluate(() => history.back());
  await expect(shown.getByRole('heading')).toHaveText('Shop');
  await shown.getByRole('heading').evaluate(() => {
    history.pushState(null, '', '/cart');
    addEventListener('popstate', () => (document.title = 'popped'));
    history.back();
  });
  await expect(own).toHaveTitle('Shop');
  await expect.poll(() => shown.locator('title').evaluate(() => document.title)).toBe('popped');
});

test('a server that is shown in a tab of its own begins there anew, and can be brought back', async ({
  page,
}) => {
  const server = `require('http').createServer((_, response) => response.end('<title>Up</title><h1>' + process.pid + '</h1>')).listen(3000)`;
  await begin(page, { 'server.js': server });
  await tab(page).click();
  await run(page, 'node server.js');
  await expect(page.locator('[title="Page in the preview"]')).toBeVisible();
  const own = await openTab(page);
  await expect(shownIn(own, 'on an origin of its own').getByRole('heading')).toHaveText(/^\d+$/);

  const closed = own.waitForEvent('close');
  await panel(page).getByRole('button', { name: 'Show it here again' }).click();
  await closed;
  await expect(panel(page).getByRole('button', { name: 'More' })).toBeFocused();
  await expect(page.locator('[title="Page in the preview"]')).toBeVisible();

  // It closes with the app, from which its requests are answered.
  const second = await openTab(page);
  const gone = second.waitForEvent('close');
  await page.reload();
  await gone;
});
