import type { FrameLocator, Page } from '@playwright/test';
import { openApp, script, useScript, writeFile } from './app.ts';

export const tab = (page: Page) => page.getByRole('tab', { name: 'Preview' });
export const panel = (page: Page) => page.getByRole('tabpanel', { name: 'Preview' });

/** The two ways in which pages are kept away from the app. */
export const WAYS = ['on an origin of its own', 'without an origin'] as const;
export type Way = (typeof WAYS)[number];

/** The page that the preview shows. */
export function shown(page: Page, way: Way = WAYS[0]): FrameLocator {
  return way === 'without an origin'
    ? page.frameLocator('[title="Page in the preview"] iframe:visible')
    : page.frameLocator('iframe[title="Page in the preview"]').frameLocator('iframe[title="Page"]');
}

/** Lets the app begin as on a site that has no origin for previews. A page that the test serves could not reach loopback. */
export async function withoutOrigin(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const take = () => {
      const meta = document.querySelector<HTMLMetaElement>('meta[name="vitrine-preview"]');
      if (!meta) return;
      meta.content = '';
      observer.disconnect();
    };
    const observer = new MutationObserver(take);
    observer.observe(document, { childList: true, subtree: true });
  });
}

/** Opens the app with a session and these files. */
export async function begin(
  page: Page,
  files: Readonly<Record<string, string>>,
  way: Way = WAYS[0],
): Promise<void> {
  if (way === 'without an origin') await withoutOrigin(page);
  await openApp(page, '/?automation=1&offline=off&workspace=embedded');
  await useScript(page, script({ text: 'x' }), 'allow');
  await page.evaluate(() => window.vitrine.sessions.create());
  for (const [path, text] of Object.entries(files)) await writeFile(page, path, text);
}

/** Shows the workspace's `index.html`. */
export async function showIndex(page: Page): Promise<void> {
  await tab(page).click();
  await panel(page).getByRole('button', { name: 'Show the workspace’s index.html' }).click();
}

/** Takes something of the toolbar that has no room in it beside a conversation, and is in its menu. */
export async function take(page: Page, role: 'menuitem' | 'menuitemradio', name: string): Promise<void> {
  await panel(page).getByRole('button', { name: 'More' }).click();
  await page.getByRole(role, { name }).click();
}

/** Runs until the test ends. */
export function run(page: Page, command: string): Promise<void> {
  return page.evaluate((line) => void window.vitrine.workspace.exec(line), command);
}
