import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { parseEvent, type Event, type EventOf } from '../../src/session/log/events.ts';
import { messageRecord } from '../../src/session/log/records.ts';
import { emptyState, reduce } from '../../src/session/log/reduce.ts';
import { KillableBrowser } from '../support/kill/browser.ts';
import { CommittedEvents } from '../support/kill/committed.ts';
import { filesByLog, LAST_PROMPT, promptOf, scriptOf } from '../support/kill/session-script.ts';
import { openApp, prompt, readFile, useScript } from './app.ts';
import { expect, test } from './test.ts';

// Nothing can be asked of a browser that was killed.
test.use({ trace: 'off' });

const KILLS = 6;
/** A life is killed at most this long after its prompt was accepted, milliseconds: before its turn can have ended. */
const LONGEST_LIFE = 3_000;

test('a session whose browser is killed at random moments loses nothing that was acknowledged, and goes on', async ({
  baseURL,
}) => {
  const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  const random = randomOf(seed);
  const committed = new CommittedEvents();
  await committed.listen();
  const profile = mkdtempSync(join(tmpdir(), 'vitrine-app-kill-'));
  let address = `${baseURL}/?automation=1`;
  const figures: string[] = [];
  let acknowledged = 0;
  try {
    for (let life = 0; life <= KILLS; life++) {
      const browser = new KillableBrowser(profile, 'about:blank');
      try {
        const page = await open(browser, committed, address);
        if (life > 0) figures.push(await checkReopened(page, committed, life - 1, acknowledged));
        await useScript(page, scriptOf(KILLS), 'allow');
        if (life === KILLS) {
          expect((await prompt(page, LAST_PROMPT)).status).toBe('idle');
          expect(await readFile(page, 'end.txt')).toBe('end\n');
          break;
        }
        // It is answered by nobody: the browser dies.
        void prompt(page, promptOf(life)).catch(() => undefined);
        const { sessionID } = await committed.until(
          (event) => event.type === 'prompt.accepted' && event.text === promptOf(life),
        );
        address = `${baseURL}/?automation=1#/session/${sessionID}`;
        await after(random() * LONGEST_LIFE);
      } finally {
        await browser.kill();
      }
      acknowledged = committed.events.size;
    }
  } finally {
    console.log(`app-kill, KILL_SEED=${seed}\n${figures.join('\n')}`);
    await committed.close();
    rmSync(profile, { recursive: true, force: true });
  }
});

async function open(browser: KillableBrowser, committed: CommittedEvents, address: string): Promise<Page> {
  const [context] = (await browser.connect()).contexts();
  const page = context?.pages()[0] ?? (await context?.newPage());
  if (!page) throw new Error('The browser has no page.');
  page.setDefaultTimeout(20_000);
  await committed.follow(page);
  await openApp(page, address);
  return page;
}

/** The session as it stands after a kill, when it was opened by its address. Returns what there is to print. */
async function checkReopened(
  page: Page,
  committed: CommittedEvents,
  life: number,
  acknowledged: number,
): Promise<string> {
  const id = /#\/session\/([\w-]+)/.exec(page.url())?.[1] ?? '';
  await expect(page.getByRole('article').last()).toBeVisible();
  // What the death left open is closed when the session is opened, and that is written soon after.
  await expect.poll(() => storedEvents(page, id).then(isAtRest)).toBe(true);
  const events = await storedEvents(page, id);

  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  const stored = new Map(events.map((event) => [event.seq, event]));
  const missing = [...committed.events.values()].filter(
    (event) => JSON.stringify(stored.get(event.seq)) !== JSON.stringify(event),
  );
  expect(missing, 'acknowledged events that are missing or differ').toEqual([]);

  const { calls, interrupted } = checkCalls(events);
  const turns = events.filter((event) => event.type === 'turn.ended');
  expect(turns).toHaveLength(events.filter(({ type }) => type === 'turn.started').length);

  const { foldedTo, messages } = await storedRecords(page, id);
  const state = reduce(events.slice(0, foldedTo), emptyState(id));
  expect(messages).toEqual(
    plain([...state.messages.values()].map((message) => messageRecord(state, message))),
  );

  await checkPage(page, calls, life);
  const files = await checkFiles(page, events);
  return [
    `life ${life}: ${acknowledged} events acknowledged, 0 missing of ${events.length} with those of the recovery`,
    `${calls.length} calls, ${interrupted} interrupted in all`,
    `turn ${turns.at(-1)?.status}`,
    `${files} files as the log says`,
  ].join('; ');
}

function checkCalls(events: readonly Event[]) {
  const began = events.flatMap((event) =>
    event.type === 'step.part' && event.part.type === 'tool-input-start' ? [event.part.callID] : [],
  );
  const calls = events.filter((event) => event.type === 'call.ended');
  expect(calls.map(({ callID }) => callID).sort(), 'one result for each call').toEqual(began.sort());
  const started = new Set(events.flatMap((event) => (event.type === 'call.running' ? event.callID : [])));
  for (const { callID, outcome, output } of calls) {
    expect(['ok', 'interrupted'], `${callID}: ${output}`).toContain(outcome);
    if (outcome === 'ok') expect(started.has(callID)).toBe(true);
  }
  return { calls, interrupted: calls.filter(({ outcome }) => outcome === 'interrupted').length };
}

/** The page shows the calls of the last turn as the log has them. */
async function checkPage(page: Page, calls: readonly EventOf<'call.ended'>[], life: number): Promise<void> {
  const expected = calls
    .filter(({ callID }) => callID.startsWith(`call_${life + 1}_`))
    .map(({ callID, outcome }) => `${callID} ${outcome}`);
  const shown = () =>
    page
      .locator(`[data-part="tool"][data-call^="call_${life + 1}_"]`)
      .evaluateAll((nodes) =>
        nodes.map((node) => `${node.getAttribute('data-call')} ${node.getAttribute('data-outcome')}`),
      );
  await expect.poll(async () => (await shown()).sort()).toEqual(expected.sort());
}

async function checkFiles(page: Page, events: readonly Event[]): Promise<number> {
  const possible = filesByLog(events);
  const found = await page.evaluate(
    (paths) =>
      Promise.all(
        paths.map((path) =>
          window.vitrine.workspace.readFile(path).then(
            (text) => text,
            () => null,
          ),
        ),
      ),
    [...possible.keys()],
  );
  for (const [index, [path, contents]] of [...possible].entries())
    expect(contents, path).toContain(found[index]);
  return possible.size;
}

async function storedEvents(page: Page, id: string): Promise<readonly Event[]> {
  const events = await page.evaluate((session) => window.vitrine.sessions.events(session), id);
  return Array.isArray(events) ? events.map(parseEvent) : [];
}

/** As they lie in the database: how far they go, and what they say. */
function storedRecords(page: Page, id: string) {
  return page.evaluate(async (session) => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await done(indexedDB.open('vitrine'));
    const transaction = database.transaction(['sessions', 'messages']);
    const [row, messages] = await Promise.all([
      done<{ foldedTo: number }>(transaction.objectStore('sessions').get(session)),
      done<unknown[]>(
        transaction.objectStore('messages').getAll(IDBKeyRange.bound([session], [session, []])),
      ),
    ]);
    database.close();
    return { foldedTo: row.foldedTo, messages };
  }, id);
}

function isAtRest(events: readonly Event[]): boolean {
  return (
    events.findLast(({ type }) => type === 'turn.started' || type === 'turn.ended')?.type !== 'turn.started'
  );
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Mulberry32: the same moments for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
