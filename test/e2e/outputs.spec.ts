import type { Page } from '@playwright/test';
import { parseEvent, type Event } from '../../src/session/log/events.ts';
import { configure, openApp, script } from './app.ts';
import { expect, test } from './test.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const CALL = { tool: 'bash', input: { command: 'seq 20000' } };

async function eventsOf(page: Page, sessionID: string): Promise<Event[]> {
  const events = await page.evaluate((id) => window.vitrine.sessions.events(id), sessionID);
  return Array.isArray(events) ? events.map(parseEvent) : [];
}

/** What each call of the session came to, oldest first. */
async function results(page: Page, sessionID: string): Promise<string[]> {
  return (await eventsOf(page, sessionID)).flatMap((event) =>
    event.type === 'call.ended' ? event.output : [],
  );
}

const pathOf = (sessionID: string) => `~/.opencode/truncate/${sessionID}/tool_bash_001.txt`;

/** A new session in the same workspace that printed more than the model was shown; its id. */
async function count(page: Page): Promise<string> {
  const before = page.url();
  await page.getByRole('button', { name: 'New session' }).click();
  await page.waitForURL((url) => url.href !== before && url.hash.startsWith('#/session/'));
  return (await page.evaluate(() => window.vitrine.prompt('Count'))).sessionID;
}

/** Has the agent look at its kept output through both tools; what they answered. */
async function look(page: Page, sessionID: string): Promise<string[]> {
  const tools = [
    { tool: 'read', input: { filePath: pathOf(sessionID), offset: 12_345, limit: 1 } },
    { tool: 'grep', input: { pattern: '^19999$', path: pathOf(sessionID) } },
  ];
  await configure(page, {
    provider: 'scripted',
    model: 'script',
    script: { ...script(), turns: [{ when: 'Look', steps: [{ tools }, { text: 'Looked.' }] }] },
    permission: 'allow',
  });
  await page.evaluate((id) => window.vitrine.prompt('Look', { sessionID: id }), sessionID);
  return (await results(page, sessionID)).slice(-2);
}

test('a full output outlives a reload, for the tools and the shell, and goes after a week unless it is kept', async ({
  page,
}) => {
  await openApp(page);
  await configure(page, {
    provider: 'scripted',
    model: 'script',
    script: script({ tools: [CALL] }, { text: 'Counted.' }),
    permission: 'allow',
  });
  const dropped = await count(page);
  const kept = await count(page);
  const [cut = ''] = await results(page, kept);
  expect(cut).toContain(pathOf(kept));
  expect(cut.endsWith('\n20000\n')).toBe(true);
  expect(cut).not.toContain('\n12345\n');

  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  const found = [
    '12345: 12345\n\n(Lines 12345-12345 of 20000. Continue with offset=12346.)',
    `Found 1 match\n\n${pathOf(kept)}:\n  Line 19999: 19999\n`,
  ];
  expect(await look(page, kept)).toEqual(found);
  const command = `grep -c . ${pathOf(kept)}; echo x > ${pathOf(kept)}`;
  const { output } = await page.evaluate((text) => window.vitrine.workspace.exec(text), command);
  expect(output).toMatch(/^20000\n.*Permission denied/);

  const row = page.getByRole('listitem').filter({ has: page.locator(`[href$="${kept}"]`) });
  await row.getByRole('button', { name: 'Actions' }).last().click();
  await page.getByRole('menuitem', { name: 'Keep long outputs' }).click();
  await expect
    .poll(() => eventsOf(page, kept))
    .toContainEqual(expect.objectContaining({ type: 'session.kept', keep: true }));

  await page.clock.setSystemTime(Date.now() + 8 * DAY_MS);
  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await expect
    .poll(() => eventsOf(page, dropped))
    .toContainEqual(expect.objectContaining({ type: 'output.dropped' }));
  expect((await look(page, dropped))[0]).toContain('is no longer kept');
  expect(await look(page, kept)).toEqual(found);
});
