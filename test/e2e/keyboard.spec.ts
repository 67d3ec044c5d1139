import type { Locator, Page } from '@playwright/test';
import { calls, dialog, openApp, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

declare global {
  interface Window {
    said: string[];
  }
}

/** Presses Tab until `target` has the focus, as a person without a mouse does. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor({ state: 'attached' });
  for (let pressed = 0; pressed < 60; pressed++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Tab never reached ${String(target)}`);
}

/** Presses a key until it has led to `target`: a menu takes keys once it has settled. */
async function press(page: Page, key: string, target: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(key);
    await expect(target).toBeFocused({ timeout: 500 });
  }).toPass();
}

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName);

test('the whole demo without a mouse', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Watch a demo' })).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Watch a demo' }));
  await page.keyboard.press('Enter');

  for (const part of ['node --test', "cents.padEnd(2, '0')", 'node --test']) {
    await expect(dialog(page)).toContainText(part);
    const allow = dialog(page).getByRole('button', { name: 'Allow once' });
    await expect(allow).toBeEnabled();
    // Wherever the focus was left, one shortcut leads to the question.
    await page.keyboard.press('Control+Shift+Y');
    await expect(dialog(page)).toBeFocused();
    await tabTo(page, allow);
    await page.keyboard.press('Enter');
    await expect(allow).toHaveCount(0);
  }
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('28.40');
  // The question went; the focus did not fall off the page.
  expect(await focused(page)).toBe('Message');

  const files = page.getByRole('tab', { name: 'Files' });
  await tabTo(page, files);
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Changes' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Terminal' })).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeAttached();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await tabTo(page, page.getByRole('tree'));
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Text of totals.test.js' })).toContainText('28.40');
});

test('the first Tab offers the way past everything, and leaves the address alone', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }));
  await send(page, 'Go');
  await expect(page.getByRole('article').last()).toContainText('Hello.');
  const address = page.url();
  await page.reload();
  await expect(page.getByRole('article').last()).toContainText('Hello.');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the message box' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Skip to the message box' })).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
  expect(page.url()).toBe(address);
});

test('Enter sends, Shift+Enter makes a line, Escape stops', async ({ page }) => {
  await openApp(page);
  await useScript(
    page,
    script({ tools: [{ tool: 'bash', input: { command: 'echo begun; sleep 60', description: 'Wait' } }] }),
    'allow',
  );
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.focus();
  await page.keyboard.type('One');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('two');
  await expect(box).toHaveValue('One\ntwo');
  await page.keyboard.press('Enter');
  await expect(box).toHaveValue('');
  await expect(calls(page, 'bash')).toContainText('begun');
  await page.keyboard.press('Escape');
  await expect(calls(page, 'bash')).toHaveAttribute('data-outcome', 'cancelled');
});

test('settings take the focus, keep it, and give it back', async ({ page }) => {
  await page.goto('/');
  const button = page.getByRole('button', { name: 'Settings' });
  await tabTo(page, button);
  await page.keyboard.press('Enter');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expect(settings).toBeVisible();
  for (let pressed = 0; pressed < 40; pressed++) {
    await page.keyboard.press('Tab');
    expect(await settings.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(settings).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('a session is renamed, deleted and brought back by keys', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }));
  await send(page, 'Go');
  const list = page.getByRole('navigation', { name: 'Sessions' });
  const actions = list.getByRole('listitem').getByRole('button', { name: 'Actions' });
  await tabTo(page, actions, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
  await press(page, 'Home', page.getByRole('menuitem', { name: 'Rename' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'New name' })).toBeFocused();
  await page.keyboard.type('Renamed');
  await page.keyboard.press('Enter');
  await expect(list.getByRole('link', { name: 'Renamed' })).toBeVisible();

  await tabTo(page, actions);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
  await press(page, 'End', page.getByRole('menuitem', { name: 'Delete' }));
  await page.keyboard.press('Enter');
  await expect(list.getByRole('link')).toHaveCount(0);
  await tabTo(page, page.getByRole('button', { name: 'Undo' }));
  await page.keyboard.press('Enter');
  await expect(list.getByRole('link', { name: 'Renamed' })).toBeVisible();
});

test('what happens is said aloud: the start, the question and the end, never the stream', async ({
  page,
}) => {
  await openApp(page);
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver(() => {
      for (const region of document.querySelectorAll('[aria-live="polite"]')) {
        const text = region.textContent?.trim() ?? '';
        if (text && said.at(-1) !== text) said.push(text);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await useScript(
    page,
    script(
      { tools: [{ tool: 'bash', input: { command: 'echo hi', description: 'Say hi' } }] },
      { text: 'A long answer.' },
    ),
  );
  await send(page, 'Go');
  await expect(dialog(page)).toBeVisible();
  await expect(dialog(page).getByRole('button', { name: 'Allow once' })).toBeEnabled();
  await dialog(page).getByRole('button', { name: 'Allow once' }).click();
  await expect(page.getByRole('article').last()).toContainText('A long answer.');
  const said = () => page.evaluate(() => window.said);
  await expect.poll(said).toContain('The agent is done.');
  expect(await said()).toEqual([
    'The agent is working.',
    'Permission required: run a command',
    'The agent is done.',
  ]);
  // A log tells what is added to it by itself; here that would be every piece of a stream.
  await expect(page.getByRole('log', { name: 'Conversation' })).toHaveAttribute('aria-live', 'off');
});
