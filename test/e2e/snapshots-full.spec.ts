import type { Page } from '@playwright/test';
import { openApp, prompt, useScript } from './app.ts';
import { expect, test } from './test.ts';

/** No room for more than a few files of this size, each of which is stored as a file and in a snapshot. */
const FILE = 2_000_000;
const QUOTA = 9_000_000;
const MOST_TURNS = 12;

const turns = Array.from({ length: MOST_TURNS }, (_, index) => {
  const command = `head -c ${FILE} /dev/urandom > ${index}.bin`;
  const makeFile = { tool: 'bash', input: { command, description: 'Make a file' } };
  return { steps: [{ tools: [makeFile] }, { text: `Made file ${index}.` }] };
});
const script = {
  version: 1 as const,
  title: 'test',
  chunkDelayMs: 0,
  turns,
  files: { 'notes.txt': 'mine\n' },
};

interface Asked {
  readonly id: string;
  readonly text: string;
  /** The files right before it. */
  readonly files: readonly string[];
}

/**
 * Sends prompts that make files, until there is one of which it is not known how the files were before it. Fails if what
 * is known of another is not so.
 */
function fillStorage(page: Page, most: number): Promise<{ asked: readonly Asked[]; unknown?: string }> {
  return page.evaluate(async (turnCount) => {
    const { sessions, workspace, prompt } = window.vitrine;
    const asked: Asked[] = [];
    let unknown: string | undefined;
    while (unknown === undefined && asked.length < turnCount) {
      const files = await workspace.list();
      const text = `File ${asked.length}`;
      const { sessionID } = await prompt(text);
      const events = (await sessions.events(sessionID)) as { type: string; messageID: string }[];
      const id = events.findLast(({ type }) => type === 'prompt.accepted')?.messageID ?? '';
      asked.push({ id, text, files });
      unknown = await firstUnknown();
    }
    return { asked, ...(unknown !== undefined && { unknown }) };

    async function firstUnknown(): Promise<string | undefined> {
      const now = await workspace.list();
      for (const { id, files } of asked) {
        const changes = await workspace.changes({ since: id }).catch((error: Error) => error.message);
        if (typeof changes === 'string' && changes.includes('files-unknown')) return id;
        const added = now.filter((path) => !files.includes(path)).map((path) => ({ path, kind: 'added' }));
        if (JSON.stringify(changes) !== JSON.stringify(added))
          throw new Error(`The snapshot before ${id} is of another moment: ${JSON.stringify(changes)}`);
      }
      return undefined;
    }
  }, most);
}

/** The id of the newest prompt. */
async function lastPrompt(page: Page, id: string): Promise<string> {
  return page.evaluate(async (session) => {
    const events = (await window.vitrine.sessions.events(session)) as { type: string; messageID: string }[];
    return events.findLast(({ type }) => type === 'prompt.accepted')?.messageID ?? '';
  }, id);
}

/** Each file with its checksum. */
async function contents(page: Page): Promise<string> {
  return page.evaluate(async () => (await window.vitrine.workspace.exec('sha256sum *')).output);
}

test('without room for a snapshot nothing is lost or there by halves, and with room all is as before', async ({
  page,
  context,
  baseURL,
}) => {
  const devtools = await context.newCDPSession(page);
  const origin = baseURL ?? '';
  // Set before the first use: Chromium asks for the room that is left only now and then.
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: QUOTA });
  await openApp(page);
  await useScript(page, script, 'allow');
  const { asked, unknown } = await fillStorage(page, MOST_TURNS);
  const without = asked.find(({ id }) => id === unknown);
  expect(without).toBeDefined();
  const before = await contents(page);

  const notice = page
    .getByRole('main')
    .getByRole('group', { name: 'The browser has no more room for this site.', exact: true });
  await expect(notice).toContainText('Free some space');
  const message = (text: string) =>
    page.getByRole('article', { name: 'You' }).filter({ has: page.getByText(text, { exact: true }) });
  const restore = async (text: string) => {
    await message(text).hover();
    await message(text).getByRole('button', { name: 'Restore to here' }).click();
  };
  const sheet = page.getByRole('dialog', { name: 'Restore to here' });
  await restore(without?.text ?? '');
  await expect(sheet).toContainText('The files stay as they are: no snapshot of that moment is stored.');
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  expect(await contents(page)).toBe(before);

  await devtools.send('Storage.overrideQuotaForOrigin', { origin });
  // The next message tries again, and has a snapshot.
  const { sessionID, status } = await prompt(page, 'There is room.');
  expect(status).toBe('idle');
  await expect(notice).toBeHidden();
  const id = await lastPrompt(page, sessionID);
  const made = await page.evaluate((since) => window.vitrine.workspace.changes({ since }), id);
  expect(made).toEqual([{ path: `${asked.length}.bin`, kind: 'added' }]);
  const files = await contents(page);
  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await useScript(page, { ...script, files: undefined }, 'allow');
  await expect(message(without?.text ?? '')).toBeVisible();
  expect(await contents(page)).toBe(files);

  await restore('File 0');
  // Without a snapshot nobody knows who made a file, so the file stays unless the person says otherwise.
  const kept = sheet.getByRole('checkbox', { name: 'Overwrite it' });
  await expect(kept).not.toHaveCount(0);
  for (const box of await kept.all()) await box.check();
  await sheet.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(message('File 0')).toHaveCount(0);
  expect(await page.evaluate(() => window.vitrine.workspace.list())).toEqual(['notes.txt']);
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(message(without?.text ?? '')).toBeVisible();
  expect(await contents(page)).toBe(files);
});
