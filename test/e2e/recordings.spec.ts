import { readFile as readDownload } from 'node:fs/promises';
import { expect, test, type Page } from '@playwright/test';
import type { Script } from '../../src/models/types.ts';
import { openApp, prompt, readFile, useScript } from './app.ts';

const FIX: Script = {
  version: 1,
  title: 'Fix add',
  chunkDelayMs: 0,
  files: { 'add.js': 'export const add = (a, b) => a - b;\n' },
  turns: [
    {
      steps: [
        { text: 'Let me look.', tools: [{ tool: 'read', input: { filePath: 'add.js' } }] },
        {
          tools: [
            { tool: 'edit', input: { filePath: 'add.js', oldString: 'a - b', newString: 'a + b' } },
            { tool: 'bash', input: { command: 'cat add.js', description: 'Show it' } },
          ],
        },
        { text: 'Fixed: it **adds** now.' },
      ],
    },
  ],
};

/** A session that came to its end; its id. */
async function recorded(page: Page): Promise<string> {
  await openApp(page);
  await useScript(page, FIX, 'allow');
  const { sessionID, status } = await prompt(page, 'Fix add');
  expect(status).toBe('idle');
  return sessionID;
}

test('a session is exported from its menu, and comes in again as a session with its starting files', async ({
  page,
}) => {
  await recorded(page);
  const row = page.getByRole('navigation', { name: 'Sessions' }).getByRole('listitem').first();
  await row.hover();
  await row.getByRole('button', { name: 'Actions' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export recording' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('fix-add.vitrine.json');
  const text = await readDownload(await download.path(), 'utf8');
  const recording = JSON.parse(text) as { format: string; version: number };
  expect(recording).toMatchObject({ format: 'vitrine-recording', version: 1, title: 'Fix add' });

  const { sessionID } = await page.evaluate(
    (given) => window.vitrine.sessions.import(JSON.parse(given)),
    text,
  );
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('it adds now');
  expect(page.url()).toContain(sessionID);
  // The workspace is the one that it began in.
  expect(await readFile(page, 'add.js')).toContain('a - b');
  await page.reload();
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('it adds now');
});

test('what automation exports holds no key, and what is no recording is refused whole', async ({ page }) => {
  await openApp(page);
  const key = 'sk-test-0123456789abcdef';
  await page.evaluate(
    (apiKey) => window.vitrine.configure({ provider: 'openai', model: 'gpt-x', apiKey }),
    key,
  );
  await useScript(
    page,
    {
      ...FIX,
      files: { '.env': `OPENAI=${key}\n` },
      turns: [{ steps: [{ text: `Your key is ${key}.` }] }],
    },
    'allow',
  );
  const { sessionID } = await prompt(page, `My key is ${key}`);
  const exported = await page.evaluate((id) => window.vitrine.sessions.export(id), sessionID);
  const text = JSON.stringify(exported);
  expect(text).not.toContain(key);
  expect(text).toContain('[redacted key]');

  const before = await page.evaluate(() => window.vitrine.sessions.list());
  for (const [spoilt, says] of [
    [text.replace('"version":1', '"version":9'), 'recording-version'],
    [text.replace('"path":".env"', '"path":"../.env"'), 'recording-damaged'],
    [text.replace('"text":"OPENAI', '"text":"XPENAI'), 'recording-damaged'],
    ['"no recording"', 'recording-invalid'],
  ] as const)
    expect(
      await page.evaluate(
        (given) =>
          window.vitrine.sessions.import(JSON.parse(given)).then(
            () => 'accepted',
            (error: Error) => error.message,
          ),
        spoilt,
      ),
    ).toContain(says);
  expect(await page.evaluate(() => window.vitrine.sessions.list())).toEqual(before);
});
