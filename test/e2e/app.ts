import { expect, type Locator, type Page } from '@playwright/test';
import type { AutomationSettings } from '../../src/automation/arguments.ts';
import type { Automation } from '../../src/automation/types.ts';
import type { Script } from '../../src/models/types.ts';

declare global {
  interface Window {
    vitrine: Automation;
  }
}

/** Opens the app with automation on and waits until it can be driven. */
export async function openApp(page: Page, url = '/?automation=1'): Promise<void> {
  await page.goto(url);
  await page.evaluate(() => window.vitrine.ready);
}

export async function configure(page: Page, settings: AutomationSettings): Promise<void> {
  await page.evaluate((given) => window.vitrine.configure(given), settings);
}

/** A scripted model whose one turn has these steps. */
export function script(...steps: Script['turns'][number]['steps']): Script {
  return { version: 1, title: 'test', chunkDelayMs: 0, turns: [{ steps }] };
}

export async function useScript(page: Page, given: Script, permission?: unknown): Promise<void> {
  await configure(page, {
    provider: 'scripted',
    model: 'script',
    script: given,
    ...(permission !== undefined && { permission }),
  });
}

/** Sends through the page, as a person does. */
export async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

export function prompt(page: Page, text: string): Promise<{ sessionID: string; status: string }> {
  return page.evaluate((given) => window.vitrine.prompt(given), text);
}

export const dialog = (page: Page): Locator => page.getByRole('alertdialog', { name: 'Permission required' });

export const calls = (page: Page, tool: string): Locator =>
  page.locator(`[data-part="tool"][data-tool="${tool}"]`);

/** Answers the question on the page; the dialog ignores everything in its first half second. */
export async function answer(page: Page, button: string): Promise<void> {
  const target = dialog(page).getByRole('button', { name: button });
  await expect(target).toBeEnabled();
  await target.click();
}

/** Opens the settings, and one of their pages by its name. */
export async function openSettings(page: Page, name?: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expect(settings).toBeVisible();
  if (name !== undefined) await showSettings(page, name);
}

/** Shows another page of the open settings. A narrow window lists them in a field. */
export async function showSettings(page: Page, name: string): Promise<void> {
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const link = settings.getByRole('link', { name, exact: true });
  if (await link.isVisible()) await link.click();
  else await settings.getByRole('combobox', { name: 'Page' }).selectOption({ label: name });
}

export function readFile(page: Page, path: string): Promise<string> {
  return page.evaluate((given) => window.vitrine.workspace.readFile(given), path);
}

export function writeFile(page: Page, path: string, text: string): Promise<void> {
  return page.evaluate(([file, content]) => window.vitrine.workspace.writeFile(file, content), [
    path,
    text,
  ] as const);
}
