import type { Page } from '@playwright/test';
import { checkEverywhere } from './accessible-states.ts';
import { calls, openApp, prompt, readFile, script, useScript } from './app.ts';
import { expect, test } from './test.ts';

const talk = {
  version: 1 as const,
  title: 'talk',
  chunkDelayMs: 0,
  turns: [
    { steps: [{ text: 'The heron waits.' }] },
    { steps: [{ text: 'The heron fishes.' }] },
    { when: '^Go on$', steps: [{ text: 'The heron flies.' }] },
  ],
};

const answers = (page: Page) => page.getByRole('log', { name: 'Conversation' });
const notices = (page: Page) => page.getByRole('region', { name: 'Notices' });

test('a damaged message record is made anew from the log, and the session goes on', async ({ page }) => {
  await openApp(page);
  await useScript(page, talk);
  const { sessionID } = await prompt(page, 'First');
  await prompt(page, 'Second');
  const before = await page.evaluate((id) => window.vitrine.sessions.messages(id), sessionID);
  expect(await damage(page, 'messages', sessionID, { parts: 'not a list' })).toBeGreaterThan(0);

  await page.reload();
  await expect(answers(page)).toContainText('The heron waits.');
  await expect(answers(page)).toContainText('The heron fishes.');
  await page.evaluate(() => window.vitrine.ready);
  await expect
    .poll(() => page.evaluate((id) => window.vitrine.sessions.messages(id).catch(String), sessionID))
    .toEqual(before);
  await useScript(page, talk);
  expect((await prompt(page, 'Go on')).status).toBe('idle');
  await expect(answers(page)).toContainText('The heron flies.');
});

test('a damaged log is told, nothing of it is deleted, and other sessions work', async ({ page }) => {
  await openApp(page);
  await useScript(page, talk);
  const { sessionID } = await prompt(page, 'First');
  // The snapshot of the beginning is taken beside the turn, and may be the last that is written.
  await expect
    .poll(() => page.evaluate((id) => window.vitrine.sessions.events(id).then(JSON.stringify), sessionID))
    .toContain('snapshot.taken');
  const batches = await damage(page, 'events', sessionID, { events: [{ what: 'is this?' }] });

  await page.reload();
  await expect(notices(page)).toContainText('A stored record is damaged');
  await expect(notices(page)).toContainText('nothing was deleted');
  await page.evaluate(() => window.vitrine.ready);
  expect(await damage(page, 'events', sessionID, {})).toBe(batches);
  await expect(page.getByRole('navigation', { name: 'Sessions' }).getByRole('link')).toHaveCount(1);

  await useScript(page, talk);
  await page.evaluate(() => window.vitrine.sessions.create());
  expect((await prompt(page, 'Another')).status).toBe('idle');
  await expect(answers(page)).toContainText('The heron waits.');
});

for (const [how, refuse] of [
  ['throws', () => refuseByThrowing()],
  ['fails', () => refuseByFailing()],
] as const)
  test(`where opening the storage ${how}, it is told and the session goes on in memory`, async ({ page }) => {
    await page.addInitScript(refuse());
    await openApp(page);
    await expect(page.getByRole('main')).toContainText('Until then your work exists only in this tab.');
    await checkEverywhere(page, 'the storage cannot be opened');
    await useScript(
      page,
      script(
        { tools: [{ tool: 'write', input: { filePath: 'a.txt', content: 'in memory\n' } }] },
        { tools: [{ tool: 'bash', input: { command: 'cat a.txt', description: 'Look' } }] },
        { text: 'All done.' },
      ),
      'allow',
    );
    expect((await prompt(page, 'Write and look')).status).toBe('idle');
    await expect(calls(page, 'write')).toHaveAttribute('data-outcome', 'ok');
    await expect(calls(page, 'bash')).toContainText('in memory');
    await expect(answers(page)).toContainText('All done.');
  });

test('a full storage stops the agent and is told with what to do; nothing is lost, and the work goes on once there is room', async ({
  page,
  context,
  baseURL,
}) => {
  const devtools = await context.newCDPSession(page);
  const origin = new URL(baseURL!).origin;
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 2_500_000 });
  await openApp(page);
  const contents = Array.from({ length: 6 }, (_, number) => noise(number, 150_000));
  await useScript(
    page,
    {
      version: 1,
      title: 'a lot',
      chunkDelayMs: 0,
      turns: [
        {
          steps: [
            ...contents.map((content, number) => ({
              text: `File ${number}.`,
              tools: [{ tool: 'write', input: { filePath: `noise-${number}.txt`, content } }],
            })),
            { text: 'All written.' },
          ],
        },
        { steps: [{ text: 'There is room again.' }] },
      ],
    },
    'allow',
  );
  const { sessionID, status } = await prompt(page, 'Write a lot');
  expect(status).toBe('error');
  await expect(page.getByRole('main')).toContainText(
    'The agent stopped because this session cannot be saved',
  );
  await expect(page.getByRole('main')).toContainText('The browser has no more room for this site.');
  await expect(page.getByRole('main')).toContainText('Free some space');
  await expect(page.getByRole('main')).toContainText('Unsaved work exists only in this tab');
  await checkEverywhere(page, 'the storage is full');
  await expect(answers(page)).not.toContainText('All written.');
  const written = contents.slice(0, await page.locator('[data-tool="write"][data-outcome="ok"]').count());
  expect(written.length).toBeGreaterThan(0);
  for (const [number, content] of written.entries())
    expect(await readFile(page, `noise-${number}.txt`)).toBe(content);

  await devtools.send('Storage.overrideQuotaForOrigin', { origin });
  expect((await prompt(page, 'And now?')).status).toBe('idle');
  await expect(page.getByRole('main')).not.toContainText('Free some space');
  await expect(answers(page)).toContainText('There is room again.');

  await page.reload();
  await expect(answers(page)).toContainText('There is room again.');
  await expect(answers(page)).toContainText('File 0.');
  await page.evaluate(() => window.vitrine.ready);
  const events = (await page.evaluate((id) => window.vitrine.sessions.events(id), sessionID)) as {
    seq: number;
  }[];
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  for (const [number, content] of written.entries())
    expect(await readFile(page, `noise-${number}.txt`)).toBe(content);
});

/** Changes the newest record of a session by hand; how many records there are. */
function damage(
  page: Page,
  store: 'messages' | 'events',
  sessionID: string,
  change: Record<string, unknown>,
): Promise<number> {
  return page.evaluate(
    async ([name, session, changed]) => {
      const done = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const database = await done(indexedDB.open('vitrine'));
      const rows = database.transaction(name, 'readwrite').objectStore(name);
      const all = await done<object[]>(rows.getAll(IDBKeyRange.bound([session], [session, []])));
      if (Object.keys(changed).length > 0) await done(rows.put({ ...all.at(-1), ...changed }));
      database.close();
      return all.length;
    },
    [store, sessionID, change] as const,
  );
}

function refuseByThrowing(): string {
  return `IDBFactory.prototype.open = () => { throw new DOMException('Not here.', 'SecurityError'); };`;
}

/** As private windows of some browsers do: the request fails. */
function refuseByFailing(): string {
  return `IDBFactory.prototype.open = () => {
    const request = new EventTarget();
    request.error = new DOMException('A mutation operation was attempted.', 'InvalidStateError');
    Object.setPrototypeOf(request, IDBOpenDBRequest.prototype);
    Object.defineProperty(request, 'error', { value: new DOMException('Refused.', 'InvalidStateError') });
    setTimeout(() => request.dispatchEvent(new Event('error')));
    return request;
  };`;
}

/** Text that does not compress, the same for the same seed. */
function noise(seed: number, length: number): string {
  let state = seed + 1;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += `${state.toString(36)}${text.length % 80 < 8 ? '\n' : ''}`;
  }
  return text;
}
