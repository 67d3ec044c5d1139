import type { Page } from '@playwright/test';
import { openApp, readFile, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

const given = {
  ...script(
    { tools: [{ tool: 'write', input: { filePath: 'one.txt', content: 'one\n' } }] },
    { tools: [{ tool: 'write', input: { filePath: 'two.txt', content: 'two\n' } }] },
    { text: 'Both are written.' },
  ),
  files: { 'notes.txt': 'notes\n' },
};
const conversation = (page: Page) => page.getByRole('log', { name: 'Conversation' });
const files = (page: Page) => page.evaluate(() => window.vitrine.workspace.list());
const sessions = (page: Page) => page.getByRole('navigation', { name: 'Sessions' }).getByRole('link');

/** The number of events until the first result. */
async function firstResult(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const id = location.hash.slice('#/session/'.length);
    const events: { type: string; reason?: string }[] = JSON.parse(
      JSON.stringify(await window.vitrine.sessions.events(id)),
    );
    return events.findIndex(({ type, reason }) => type === 'snapshot.taken' && reason === 'call-end') + 1;
  });
}

test('from any event of the past, a new session goes on with the files of that moment', async ({ page }) => {
  await openApp(page);
  await useScript(page, given, 'allow');
  await send(page, 'Write two files');
  await expect(conversation(page)).toContainText('Both are written.');
  const count = await firstResult(page);
  await page.getByRole('tab', { name: 'Inspector' }).click();
  await page.getByRole('slider', { name: 'Event' }).fill(String(count));
  const past = page.getByRole('region', { name: 'You are looking at the past.' });
  await past.getByRole('button', { name: 'Go on from here' }).click();
  await expect(past).toHaveCount(0);
  await expect(sessions(page)).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Workspace 1 (copy)', exact: true })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await expect(page.getByText('This is a new session in its own workspace')).toBeVisible();
  await expect(conversation(page)).toContainText('Write two files');
  await expect(conversation(page)).not.toContainText('Both are written.');
  expect(await files(page)).toEqual(['notes.txt', 'one.txt']);
  await expect(sessions(page).filter({ hasText: 'Goes on from “Write two files”' })).toHaveCount(1);

  // What is done here does not touch the other session's files.
  await page.evaluate(() => window.vitrine.workspace.writeFile('one.txt', 'changed\n'));
  await sessions(page).filter({ hasNotText: 'Goes on from' }).click();
  await expect(conversation(page)).toContainText('Both are written.');
  // The notice is about the new session alone.
  await expect(page.getByText('This is a new session in its own workspace')).toHaveCount(0);
  expect(await readFile(page, 'one.txt')).toBe('one\n');
});

test('a pause while stepping, and a played recording, are moments to go on from too', async ({ page }) => {
  await openApp(page);
  await useScript(page, given, 'allow');
  await page.getByRole('button', { name: 'New session' }).click();
  await page.getByRole('button', { name: 'Step through' }).click();
  await send(page, 'Write two files');
  const bar = page.getByRole('region', { name: 'Stepping' });
  await expect(bar).toContainText('Paused before the request');
  await bar.getByRole('button', { name: 'Go on from here' }).click();
  await expect(page.getByText('This is a new session in its own workspace')).toBeVisible();
  await expect(conversation(page)).toContainText('Write two files');
  await expect(sessions(page).filter({ hasText: 'Goes on from' })).toHaveCount(1);
  expect(await files(page)).toEqual(['notes.txt']);

  await page.goto('/?automation=1&recording=examples/demo.vitrine.json');
  const player = page.getByRole('group', { name: 'Recording', exact: true });
  await player.getByRole('slider', { name: 'Position' }).press('End');
  await expect(conversation(page)).toContainText('28.40');
  await player.getByRole('button', { name: 'Recording actions' }).click();
  await page.getByRole('menuitem', { name: 'Go on from here' }).click();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  await expect(conversation(page)).toContainText('28.40');
  // The tools really run here, on the files of that moment.
  await useScript(page, script({ text: 'Hello.' }), 'allow');
  const { output } = await page.evaluate(() => window.vitrine.workspace.exec('node --test 2>&1 | tail -9'));
  expect(output).toMatch(/pass [1-9]/);
  expect(output).toContain('fail 0');
});

test('on a phone, the inspector itself has the way on from a moment', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openApp(page);
  await useScript(page, given, 'allow');
  await send(page, 'Write two files');
  await expect(conversation(page)).toContainText('Both are written.');
  await page.getByRole('tab', { name: 'Inspector' }).click();
  await page.getByRole('slider', { name: 'Event' }).press('Home');
  await page.getByRole('slider', { name: 'Event' }).press('ArrowRight');
  await page
    .getByRole('group', { name: 'Look at the past' })
    .getByRole('button', { name: 'Go on from here' })
    .click();
  await expect(page.getByText('This is a new session in its own workspace')).toBeVisible();
});
