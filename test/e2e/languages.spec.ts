import type { Locator, Page } from '@playwright/test';
import ar from '../../src/ui/languages/ar/catalogue.ts';
import de from '../../src/ui/languages/de/catalogue.ts';
import ru from '../../src/ui/languages/ru/catalogue.ts';
import zh from '../../src/ui/languages/zh/catalogue.ts';
import { SETTINGS_PAGES } from '../../src/ui/settings/pages.ts';
import { axeFindings } from './accessible.ts';
import { calls, openApp, script, useScript } from './app.ts';
import { expect, test } from './test.ts';

async function expectNoAxeFindings(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
}

/** In how many lines the text of an element stands. */
const linesOf = (element: Locator) =>
  element.evaluate((box) => {
    const range = document.createRange();
    range.selectNodeContents(box);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });

for (const [tag, catalogue] of Object.entries({ de, ru, zh, ar }))
  test(`the first page and the settings are there in ${tag}, also on a phone`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`/?lang=${tag}`);
    await expect(page.locator('html')).toHaveAttribute('lang', tag);
    await expect(page.locator('html')).toHaveAttribute('dir', tag === 'ar' ? 'rtl' : 'ltr');
    await expect(page.getByRole('button', { name: catalogue.page.demo })).toBeVisible();
    await expect(page.getByRole('button', { name: catalogue.page.settings, exact: true })).toBeVisible();
    await page.goto(`/?lang=${tag}&settings=appearance`);
    await expect(page.getByLabel(catalogue.settings.textSize)).toBeVisible();
    await expectNoAxeFindings(page);
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.goto(`/?lang=${tag}&recording=examples/demo.vitrine.json`);
    const player = page.getByRole('group', { name: catalogue.recording.bar, exact: true });
    await expect(player.getByRole('button', { name: catalogue.recording.play, exact: true })).toBeVisible();
    expect(await linesOf(player.getByText(/^0:\d\d/))).toBe(1);
    expect(await overflow()).toBeLessThanOrEqual(0);
  });

test.describe('a browser in German', () => {
  test.use({ locale: 'de-AT' });

  test('shows the page in German, until another language is chosen', async ({ page }) => {
    await page.goto('/');
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await page.goto('/?settings=appearance');
    await page.getByLabel(de.settings.language).selectOption('中文');
    await expect(page.getByText(de.settings.languageReload)).toBeVisible();
    await page.getByRole('button', { name: de.settings.reload }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh');
    await expect(page.getByLabel(zh.settings.language)).toHaveValue('zh');
  });

  test('shows an automated page in English', async ({ page }) => {
    await openApp(page);
    await expect(page.getByRole('button', { name: 'Settings', exact: true })).toBeVisible();
  });
});

const NO_ENTRY = {
  code: 'auth',
  what: 'The script answers with status 401.',
  next: 'Check the API key for the script in Settings.',
};

for (const [tag, catalogue] of Object.entries({ de, ar }))
  test(`an error says in ${tag} all of what happened`, async ({ page }) => {
    await openApp(page, `/?automation=1&lang=${tag}`);
    await useScript(page, script({ error: { status: 401 } }));
    await page.getByRole('textbox', { name: catalogue.page.message, exact: true }).fill('?');
    await page.getByRole('button', { name: catalogue.page.send, exact: true }).click();
    const { what, next } = catalogue.fault.shown(NO_ENTRY) ?? {};
    const notice = page.getByRole('group', { name: what ?? '', exact: true });
    await expect(notice.getByText(next ?? '', { exact: true })).toBeVisible();
    await expect(notice).not.toContainText(/The|Check/);
    await expectNoAxeFindings(page);
  });

test('a job is done in a page that runs from right to left, and code stays as it is', async ({ page }) => {
  await openApp(page, '/?automation=1&lang=ar');
  await useScript(
    page,
    script(
      { tools: [{ tool: 'bash', input: { command: 'echo one two', description: 'Say it' } }] },
      { text: 'It says:\n\n```sh\necho one two\n```\n\nتم العمل.' },
    ),
  );
  await page.getByRole('textbox', { name: ar.page.message, exact: true }).fill('افعل ذلك');
  await page.getByRole('button', { name: ar.page.send, exact: true }).click();
  const dialog = page.getByRole('alertdialog', { name: ar.conversation.permission });
  await dialog.getByRole('button', { name: ar.conversation.allowOnce }).click();
  await expect(calls(page, 'bash')).toHaveAttribute('data-outcome', 'ok');
  const answer = page.getByRole('article').last();
  await expect(answer.getByText('تم العمل.')).toBeVisible();
  const directionOf = (text: string) =>
    answer.getByText(text, { exact: true }).evaluate((element) => getComputedStyle(element).direction);
  expect(await directionOf('echo one two')).toBe('ltr');

  const leftOf = (name: string) =>
    page.getByRole('tab', { name }).evaluate((tab) => tab.getBoundingClientRect().left);
  // The first tab stands on the right, and the key to the left leads on.
  expect(await leftOf(ar.page.files)).toBeGreaterThan(await leftOf(ar.page.terminal));
  await page.getByRole('tab', { name: ar.page.files }).click();
  await page.getByRole('tab', { name: ar.page.files }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: ar.page.changes })).toBeFocused();
  await expectNoAxeFindings(page);
});

/** Whether the text of an element runs from left to right, as its first and last character stand. */
const runsToTheRight = (element: Locator) =>
  element.evaluate((box) => {
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) {
      const { currentNode } = walker;
      if (currentNode instanceof Text && currentNode.data.trim() !== '') texts.push(currentNode);
    }
    const leftOf = (text: Text | undefined, at: number) => {
      const range = document.createRange();
      if (text) range.setStart(text, at);
      if (text) range.setEnd(text, at + 1);
      return range.getBoundingClientRect().left;
    };
    const last = texts.at(-1);
    return leftOf(last, (last?.data.trimEnd().length ?? 1) - 1) > leftOf(texts[0], 0);
  });

test('English and code keep their direction in a page that runs from right to left', async ({ page }) => {
  await openApp(page, '/?automation=1&lang=ar&workspace=embedded');
  const todos = [{ content: 'قراءة', status: 'in_progress', priority: 'high' }];
  await useScript(
    page,
    {
      ...script(
        { tools: [{ tool: 'todowrite', input: { todos } }] },
        { tools: [{ tool: 'read', input: { filePath: 'a.txt' } }] },
        { tools: [{ tool: 'edit', input: { filePath: 'a.txt', oldString: 'two', newString: '2' } }] },
        { text: 'تم.' },
      ),
      files: { 'a.txt': 'one\ntwo (of 3).\n' },
    },
    { read: 'allow', edit: 'ask' },
  );
  const box = page.getByRole('textbox', { name: ar.page.message, exact: true });
  await box.fill('Make it a number.');
  await page.getByRole('button', { name: ar.page.send, exact: true }).click();
  expect(await runsToTheRight(page.getByRole('article').first().getByText('Make it a number.'))).toBe(true);

  const dialog = page.getByRole('alertdialog', { name: ar.conversation.permission });
  expect(await runsToTheRight(dialog.getByText('two (of 3).').first())).toBe(true);
  const pattern = dialog.getByRole('textbox').first();
  await expect(pattern).toHaveValue('a.txt');
  expect(await pattern.evaluate((field) => getComputedStyle(field).direction)).toBe('ltr');
  // The cross stands after the pattern, where the pattern ends.
  const cross = dialog.locator('.pattern button').first();
  expect((await cross.boundingBox())?.x).toBeGreaterThan((await pattern.boundingBox())?.x ?? Infinity);
  await dialog.getByRole('button', { name: ar.conversation.allowOnce }).click();
  await expect(page.getByRole('article').last()).toContainText('تم.');

  const plan = calls(page, 'todowrite');
  await plan.getByRole('button').first().click();
  await plan.getByText(ar.conversation.arguments, { exact: true }).click();
  await expect(plan.locator('dd')).toHaveCSS('direction', 'ltr');

  await page.getByRole('tab', { name: ar.page.files }).click();
  await page.getByRole('treeitem', { name: 'a.txt' }).click();
  const line = page.locator('.cm-line').first();
  await expect(line).toHaveText('one');
  expect(await line.evaluate((text) => getComputedStyle(text).direction)).toBe('ltr');
  await page.getByRole('tab', { name: ar.page.changes }).click();
  const panel = page.getByRole('tabpanel', { name: ar.page.changes });
  await panel
    .getByRole('button', { name: /a\.txt/ })
    .first()
    .click();
  expect(await runsToTheRight(panel.getByText('two (of 3).').first())).toBe(true);
});

for (const [name, viewport] of Object.entries({
  'a wide window': { width: 1280, height: 800 },
  'a phone': { width: 360, height: 740 },
}))
  test(`each screen of a page that runs from right to left fits ${name}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    const fits = async (screen: string) => {
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect.soft(over, screen).toBeLessThanOrEqual(0);
    };
    await openApp(page, '/?automation=1&lang=ar&workspace=embedded');
    await expect(page.getByRole('button', { name: ar.page.demo })).toBeVisible();
    await fits('first page');
    const long = `echo ${'a-long-word'.repeat(20)}`;
    const asks = { tool: 'bash', input: { command: long, description: 'Say it' } };
    await useScript(page, { ...script({ tools: [asks] }, { text: long }), files: { 'a.txt': 'a\n' } }, 'ask');
    await page.getByRole('textbox', { name: ar.page.message, exact: true }).fill('افعل ذلك');
    await page.getByRole('button', { name: ar.page.send, exact: true }).click();
    const dialog = page.getByRole('alertdialog', { name: ar.conversation.permission });
    await expect(dialog.getByRole('button', { name: ar.conversation.allowOnce })).toBeEnabled();
    await fits('a permission');
    await dialog.getByRole('button', { name: ar.conversation.allowOnce }).click();
    await expect(calls(page, 'bash')).toHaveAttribute('data-outcome', 'ok');
    await fits('a conversation');
    const { files, changes, terminal, inspector, log } = ar.page;
    for (const tab of [files, changes, terminal, inspector, log]) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      await expect(page.getByRole('tabpanel', { name: tab })).toBeVisible();
      await fits(tab);
    }
    for (const settings of SETTINGS_PAGES) {
      await page.goto(`/?lang=ar&settings=${settings}`);
      await expect(page.getByRole('dialog', { name: ar.page.settings })).toBeVisible();
      await fits(settings);
    }
  });

for (const tag of ['en', 'de', 'ru', 'zh', 'ar'])
  test(`beside a lesson, all tabs of the workbench are whole in ${tag}`, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`/?lesson=what-a-tool-call-is&lang=${tag}`);
    const tabs = page.locator('.bench').getByRole('tablist');
    // The preview has one as soon as the workspace is there.
    await expect(tabs.getByRole('tab')).toHaveCount(6);
    expect(await tabs.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    const edges = await tabs.evaluate((list) => {
      const { left, right } = list.getBoundingClientRect();
      const around = list.parentElement?.getBoundingClientRect();
      return [left - (around?.left ?? 0), (around?.right ?? 0) - right];
    });
    expect(Math.min(...edges)).toBeGreaterThanOrEqual(0);
  });

test('a lesson is taken in German, and the list has all of them in it', async ({ page }) => {
  await page.goto('/?lang=de&lesson=what-a-tool-call-is');
  const lessons = page.getByRole('complementary', { name: de.lesson.title });
  await expect(lessons.getByRole('heading', { level: 2 })).toHaveText('Was ein Tool-Aufruf ist');
  await lessons.getByRole('button', { name: de.lesson.take }).click();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article').last()).toContainText('Gästeliste');
  await expect(lessons.getByRole('heading', { level: 3 })).toHaveText('Öffnen Sie den Aufruf');
  await lessons.getByRole('button', { name: de.lesson.back }).click();
  const first = lessons.getByRole('button', { name: /^Was ein Tool-Aufruf ist/ });
  await expect(first).toContainText('1 von 4');
  await expect(lessons.getByRole('button', { name: /^Schemas und Validierungsfehler/ })).toBeVisible();
  await expect(lessons).not.toContainText('Englisch');
});
