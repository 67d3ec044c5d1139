import type { Page } from '@playwright/test';
import { answer, calls, dialog, openApp, readFile, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

const bar = (page: Page) => page.getByRole('region', { name: 'Stepping' });
const write = script(
  { tools: [{ tool: 'write', input: { filePath: 'a.txt', content: 'one' } }] },
  { tools: [{ tool: 'read', input: { filePath: 'a.txt' } }] },
  { text: 'Done.' },
);

test('step by step: arguments and results are edited, marked, and really so', async ({ page }) => {
  await openApp(page);
  await useScript(page, write);
  await page.getByRole('button', { name: 'New session' }).click();
  await page.getByRole('button', { name: 'Step through' }).click();
  await expect(bar(page)).toContainText('Armed: your next message pauses before its request goes out.');
  await send(page, 'Write it');
  await expect(bar(page)).toContainText('Paused before the request');
  await expect(page).toHaveTitle(/Paused/);
  await expect(page.getByRole('navigation', { name: 'Sessions' })).toContainText('Paused');
  // A screen reader finds nothing that says otherwise.
  await expect(page.getByText('The agent is working.')).toHaveCount(0);
  await page.keyboard.press('F10');
  await expect(bar(page)).toContainText('Paused after the model’s answer');
  await page.keyboard.press('F10');
  await expect(bar(page)).toContainText('Paused before the tool runs');

  // What is edited is checked, asked for and run.
  const args = bar(page).getByRole('textbox', { name: /Arguments of write/ });
  await args.fill('{"filePath": 7}');
  await expect(bar(page)).toContainText('filePath');
  await args.fill('{"filePath": "b.txt", "content": "two"}');
  await expect(bar(page)).toContainText('Edited');
  await args.press('F10');
  await expect(dialog(page)).toContainText('b.txt');
  await answer(page, 'Allow once');
  await expect(bar(page)).toContainText('Paused before the model gets the result');
  expect(await readFile(page, 'b.txt')).toBe('two');
  await bar(page)
    .getByRole('textbox', { name: /Result of write/ })
    .fill('The disk is full.');
  await page.keyboard.press('F8');
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('Done.');
  const card = calls(page, 'write');
  await expect(card).toContainText('You changed the arguments.');
  await expect(card).toContainText('You changed what the model sees.');
  await expect(page).not.toHaveTitle(/Paused/);

  // For good: also after a reload.
  await page.reload();
  await expect(calls(page, 'write')).toContainText('You changed the arguments.');
});

test('a breakpoint on a tool holds it, and the person answers in its place', async ({ page }) => {
  await openApp(page);
  await useScript(page, write, 'allow');
  await page.getByRole('button', { name: 'New session' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('/step');
  await page.keyboard.press('Enter');
  await bar(page).getByRole('button', { name: 'Breakpoints' }).click();
  await bar(page).getByLabel('Tool', { exact: true }).fill('rea*');
  await bar(page).getByLabel('Pause').selectOption({ label: 'before a tool runs' });
  await bar(page).getByRole('button', { name: 'Add the breakpoint' }).click();
  await send(page, 'Write it');
  await expect(bar(page)).toContainText('Paused before the tool runs');
  await expect(calls(page, 'write')).toHaveAttribute('data-outcome', 'ok');
  await bar(page).getByRole('button', { name: 'Answer in its place' }).click();
  await bar(page).getByRole('textbox', { name: 'What read says' }).fill('It is empty.');
  await bar(page).getByRole('button', { name: 'Continue' }).click();
  await expect(calls(page, 'read')).toContainText('it did not run');
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('Done.');
});

test('a request is edited before it goes out, and stop ends a pause', async ({ page }) => {
  await openApp(page);
  const echo = {
    version: 1 as const,
    title: '',
    chunkDelayMs: 0,
    turns: [{ when: 'blue', steps: [{ text: 'Blue.' }] }],
  };
  await useScript(page, echo);
  await page.getByRole('button', { name: 'New session' }).click();
  await expect(page).toHaveURL(/#\/session\//);
  await expect(page.getByRole('button', { name: 'Step through' })).toBeVisible();
  await page.keyboard.press('F10');
  await expect(bar(page)).toBeVisible();
  await send(page, 'red');
  await bar(page).getByRole('textbox', { name: 'Message 1, user' }).fill('blue');
  await page.keyboard.press('F8');
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('Blue.');
  await expect(page.getByText('You changed this request before it went out.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);

  // From now on: the next request is made of it, and the mark leads back.
  await page.keyboard.press('F10');
  await send(page, 'green');
  const last = bar(page)
    .getByRole('textbox', { name: /^Message \d+, user$/ })
    .last();
  await last.fill('blue');
  await bar(page).getByRole('radio', { name: 'from now on' }).check();
  await page.keyboard.press('F8');
  await expect(page.getByText('From here on, models see your text in place')).toBeVisible();
  // A step that is asked for while the turn runs would pause that turn.
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
  await page.keyboard.press('F10');
  await send(page, 'and more');
  await expect(bar(page)).toContainText('Paused before the request');
  await expect(
    bar(page)
      .getByRole('textbox', { name: /^Message \d+, user$/ })
      .nth(1),
  ).toHaveValue('blue');
  await page.keyboard.press('F8');
  await page.getByRole('button', { name: 'Use the original again' }).click();
  await expect(page.getByText('From here on, models see your text in place')).toBeHidden();

  await page.keyboard.press('F10');
  await send(page, 'again');
  await expect(bar(page)).toContainText('Paused before the request');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByText('This turn was stopped.')).toBeVisible();
  await expect(page).not.toHaveTitle(/Paused/);
});

test('on a phone: the bar is opened by a button, everything is done by touch, and a reload keeps it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openApp(page);
  const both = { ...write, turns: [{ steps: [{ text: 'Done.' }] }, ...write.turns] };
  await useScript(page, both, 'allow');
  await send(page, 'Say it');
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('Done.');
  await page.getByRole('button', { name: 'Step through' }).click();
  await bar(page).getByRole('button', { name: 'Breakpoints' }).click();
  await bar(page).getByLabel('Tool', { exact: true }).fill('wri*');
  await bar(page).getByRole('button', { name: 'Add the breakpoint' }).click();
  await expect(bar(page)).toContainText('Pauses at 1 breakpoint.');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(390);

  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await expect(bar(page)).toContainText('Pauses at 1 breakpoint.');
  await useScript(page, both, 'allow');
  await send(page, 'Write it');
  await expect(bar(page)).toContainText('Paused before the tool runs');
  // Wherever one looks, the way to it is marked.
  await page.getByRole('tab', { name: 'Inspector' }).click();
  await page.getByRole('tab', { name: /^Chat ?Paused/ }).click();
  await bar(page).getByRole('button', { name: 'Step', exact: true }).click();
  await expect(bar(page)).toContainText('Paused before the model gets the result');
  await bar(page).getByRole('button', { name: 'Run to end' }).click();
  await expect(calls(page, 'read').last()).toHaveAttribute('data-outcome', 'ok');

  // Closed, it stays closed.
  await bar(page).getByRole('button', { name: 'Stop stepping' }).click();
  await expect(bar(page)).toHaveCount(0);
  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('Done.');
  await expect(bar(page)).toHaveCount(0);
});

test('a turn that is held is interrupted where its page goes, and runs nothing twice', async ({ page }) => {
  await openApp(page);
  await useScript(page, write, 'allow');
  await page.getByRole('button', { name: 'New session' }).click();
  await expect(page.getByRole('button', { name: 'Step through' })).toBeVisible();
  await page.keyboard.press('F10');
  await expect(bar(page)).toBeVisible();
  await send(page, 'Write it');
  for (const at of ['before the request', 'after the model’s answer', 'before the tool runs']) {
    await expect(bar(page)).toContainText(`Paused ${at}`);
    await page.keyboard.press('F10');
  }
  await expect(bar(page)).toContainText('Paused before the model gets the result');
  expect(await readFile(page, 'a.txt')).toBe('one');
  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await expect(calls(page, 'write')).toHaveAttribute('data-outcome', 'interrupted');
  await expect(page).not.toHaveTitle(/Paused/);
  const log = await page.evaluate(async () => {
    const [session] = await window.vitrine.sessions.list();
    return JSON.stringify(await window.vitrine.sessions.events(session!.id));
  });
  const types = (JSON.parse(log) as { type: string }[]).map(({ type }) => type);
  expect(types.filter((type) => type === 'call.running')).toHaveLength(1);
  expect(types.filter((type) => type === 'call.ended')).toHaveLength(1);
  expect(types.at(-1)).toBe('turn.ended');
});

test('another tab sees the pause, takes the session over, and nothing of it is held on', async ({
  page,
  context,
}) => {
  await openApp(page);
  await useScript(page, write, 'allow');
  await page.getByRole('button', { name: 'New session' }).click();
  await expect(page.getByRole('button', { name: 'Step through' })).toBeVisible();
  await page.keyboard.press('F10');
  await expect(bar(page)).toBeVisible();
  await send(page, 'Write it');
  await expect(bar(page)).toContainText('Paused before the request');
  const other = await context.newPage();
  await openApp(other, page.url());
  await expect(other).toHaveTitle(/Paused/);
  await expect(other.getByRole('button', { name: 'Step through' })).toHaveCount(0);
  await other.getByRole('button', { name: 'Take over' }).click();
  await expect(other.getByRole('button', { name: 'Step through' })).toBeVisible();
  await expect(other).not.toHaveTitle(/Paused/);
  await expect(bar(page)).toHaveCount(0);
  await expect(page).not.toHaveTitle(/Paused/);
});

test('the first message can be stepped: the switch is there before the session', async ({ page }) => {
  await openApp(page);
  await useScript(page, write, 'allow');
  await page.getByRole('button', { name: 'Step through' }).click();
  await bar(page).getByRole('button', { name: 'Breakpoints' }).click();
  await bar(page).getByLabel('Tool', { exact: true }).fill('wri*');
  await bar(page).getByRole('button', { name: 'Add the breakpoint' }).click();
  await bar(page).getByRole('button', { name: 'Step', exact: true }).click();
  await expect(bar(page)).toContainText('Armed: your next message pauses');
  await send(page, 'Write it');
  await expect(bar(page)).toContainText('Paused before the request');
  await page.keyboard.press('F8');
  await expect(bar(page)).toContainText('Paused before the tool runs');
  await page.keyboard.press('F8');
  await expect(bar(page)).toContainText('Paused before the model gets the result');
  await bar(page).getByRole('button', { name: 'Run to end' }).click();
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('Done.');
});
