import type { Page } from '@playwright/test';
import { answer, calls, dialog, openApp, prompt, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

const conversation = (page: Page) => page.getByRole('log', { name: 'Conversation' });

test('the demo ends with its proof in view, and three ways on', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  await page.getByRole('button', { name: 'Watch a demo' }).click();
  for (const part of ['node --test', 'padEnd', 'node --test']) {
    await expect(dialog(page)).toContainText(part);
    await answer(page, 'Allow once');
  }
  const ways = page.getByRole('region', { name: 'What next?' });
  await expect(ways).toBeInViewport();
  const proof = calls(page, 'bash').last();
  await expect(proof.getByText('4 tests passed')).toBeInViewport();
  await expect(proof).not.toContainText(/Run .*duration_ms/);
  await expect(proof.getByLabel('Output', { exact: true })).toContainText('one digit of cents');
  await expect(calls(page, 'bash').first()).toContainText('1 of 4 tests failed');
  await expect(conversation(page)).toContainText('Fixed, and the test proves it');

  await ways.getByRole('button', { name: 'Share' }).click();
  const sheet = page.getByRole('dialog', { name: 'Share' });
  await sheet.getByRole('button', { name: 'Copy link', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText('link was copied');
  await page.keyboard.press('Escape');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await ways.getByRole('button', { name: 'Look inside' }).click();
  await expect(page.getByRole('tabpanel', { name: 'Inspector' })).toBeVisible();
  await ways.getByRole('button', { name: 'Take a lesson' }).click();
  await expect(page.getByRole('complementary', { name: 'Lessons' })).toBeVisible();

  const other = await (await context.browser()!.newContext()).newPage();
  await other.goto(link);
  await expect(other.getByRole('group', { name: 'Recording' })).toBeVisible();
});

test('who is the model is told that it is their turn', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Be the model yourself' }).click();
  await expect(page.getByRole('dialog', { name: 'You are the model' })).toBeVisible();
  await expect(conversation(page)).toContainText('Your turn: you are the model');
  await expect(conversation(page)).not.toContainText('Thinking');
  await expect(page.getByText('The agent is working.')).toHaveCount(0);
});

test('a draft outlives a reload, of the first page and of a session', async ({ page }) => {
  await page.goto('/');
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill('Half a thought');
  await page.reload();
  await expect(box).toHaveValue('Half a thought');
  await box.fill('');

  await openApp(page);
  const turns = [{ steps: [{ text: 'Hello.' }] }, { steps: [{ text: 'Sent.' }] }];
  await useScript(page, { ...script(), turns });
  await prompt(page, 'Hi');
  await box.fill('And then');
  await page.reload();
  await expect(conversation(page)).toContainText('Hello.');
  await expect(box).toHaveValue('And then');
  await useScript(page, { ...script(), turns });
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(conversation(page)).toContainText('Sent.');
  await page.reload();
  await expect(conversation(page)).toContainText('Sent.');
  await expect(box).toHaveValue('');
});

test('the shortcut of the terminal puts the keyboard into it', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }));
  await send(page, 'Hi');
  await expect(conversation(page)).toContainText('Hello.');
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.press('Control+`');
  await expect(page.locator('.xterm textarea')).toBeFocused();
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.press('Control+`');
  await expect(page.locator('.xterm textarea')).toBeFocused();
});

for (const width of [1280, 390])
  test(`a notice covers nothing, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await openApp(page);
    await useScript(page, script({ text: 'Hello.' }));
    await send(page, 'Hi');
    await expect(conversation(page)).toContainText('Hello.');
    // There is none while nothing is told.
    const box = page.getByRole('textbox', { name: 'Message' });
    if (width < 760) await page.getByRole('tab', { name: 'Sessions' }).click();
    await page
      .getByRole('navigation', { name: 'Sessions' })
      .getByRole('button', { name: /^Actions/ })
      .last()
      .click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const notice = page.getByRole('region', { name: 'Notices' }).getByRole('group');
    await expect(notice).toBeVisible();
    if (width < 760) await page.getByRole('tab', { name: /^Chat/ }).click();
    await expect(box).toBeVisible();
    const covers = await notice.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const others = [...document.querySelectorAll('button, textarea, a[href]')].filter(
        (other) => !element.contains(other) && other.checkVisibility(),
      );
      /** The part of an element that is in view, where what holds it scrolls. */
      const seen = (other: Element) => {
        const { left, right, top, bottom } = other.getBoundingClientRect();
        const box = { left, right, top, bottom, width: right - left };
        for (let holder = other.parentElement; holder; holder = holder.parentElement) {
          if (getComputedStyle(holder).overflowY === 'visible') continue;
          const edge = holder.getBoundingClientRect();
          box.top = Math.max(box.top, edge.top);
          box.bottom = Math.max(box.top, Math.min(box.bottom, edge.bottom));
        }
        return box;
      };
      return others.flatMap((other) => {
        const box = seen(other);
        const apart = box.right <= left || box.left >= right || box.bottom <= top || box.top >= bottom;
        const isSeen = box.width > 0 && box.bottom > box.top;
        return apart || !isSeen || other.closest('.skip') ? [] : [other.outerHTML.slice(0, 80)];
      });
    });
    expect(covers).toEqual([]);
  });
