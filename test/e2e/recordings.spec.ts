import { readFile as readDownload } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Script } from '../../src/models/types.ts';
import { dialog, openApp, prompt, readFile, useScript } from './app.ts';
import { expect, test } from './test.ts';

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

/** Two edits of one file, in one turn. */
const EDIT_TWICE: Script = {
  ...FIX,
  turns: [
    {
      steps: [
        { tools: [{ tool: 'read', input: { filePath: 'add.js' } }] },
        { tools: [{ tool: 'edit', input: { filePath: 'add.js', oldString: 'a - b', newString: 'a + b' } }] },
        { tools: [{ tool: 'edit', input: { filePath: 'add.js', oldString: 'a + b', newString: 'b + a' } }] },
        { text: 'Fixed.' },
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

/** The text of a recording, as its file has it. */
async function exportedText(page: Page, sessionID: string): Promise<string> {
  return JSON.stringify(await page.evaluate((id) => window.vitrine.sessions.export(id), sessionID));
}

interface Timed {
  sessions: { events: { at: number; type: string }[] }[];
  laterFiles?: { at: number; after: number }[];
}

/** A second between every two events: nothing of it depends on how fast this machine is. */
function slowed(text: string): Timed {
  const recording = JSON.parse(text) as Timed;
  for (const [index, event] of recording.sessions[0]!.events.entries()) event.at = index * 1_000;
  for (const later of recording.laterFiles ?? []) later.at = (later.after - 1) * 1_000 + 500;
  return recording;
}

const log = (page: Page) => page.getByRole('log', { name: 'Conversation' });
const bar = (page: Page) => page.getByRole('group', { name: 'Recording' });

test('a recording that takes long to come has a notice until it is there', async ({ page }) => {
  const text = await exportedText(page, await recorded(page));
  const notice = page.getByRole('region', { name: 'Notices' }).getByText('Reading the recording…');
  await page.route('**/slow.vitrine.json', async (route) => {
    await expect(notice).toBeVisible();
    await route.fulfill({ contentType: 'application/json', body: text });
  });
  await page.goto('/?recording=slow.vitrine.json');
  await expect(bar(page)).toBeVisible();
  await expect(notice).toBeHidden();
});

test.describe('playing', () => {
  test('a link that was copied shows the recording to somebody who has neither key nor session, and plays it', async ({
    page,
    context,
    browser,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const sessionID = await recorded(page);
    const text = await exportedText(page, sessionID);
    await page.getByRole('button', { name: 'Workspace options' }).click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('menuitem', { name: 'Open recording' }).click(),
    ]);
    await chooser.setFiles({ name: 'fix.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await expect(bar(page)).toBeVisible();
    await bar(page).getByRole('button', { name: 'Recording actions' }).click();
    await page.getByRole('menuitem', { name: 'Share' }).click();
    await page
      .getByRole('dialog', { name: 'Share' })
      .getByRole('button', { name: 'Copy link', exact: true })
      .click();
    await expect(page.getByText('The link was copied.')).toBeVisible();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toContain('#recording=');

    const stranger = await browser.newContext({ baseURL: new URL(page.url()).origin });
    const visit = await stranger.newPage();
    await visit.goto(link);
    // It waits at its beginning.
    await expect(log(visit)).toContainText('Fix add');
    await expect(log(visit)).not.toContainText('it adds now');
    await expect(bar(visit).getByRole('slider', { name: 'Position' })).toHaveValue('0');
    // The requests are there, though the link goes without their messages.
    await visit.getByRole('tab', { name: 'Inspector' }).click();
    await visit
      .getByRole('tree')
      .getByRole('treeitem', { name: /Step 2/ })
      .click();
    const detail = visit.getByRole('region', { name: 'Details' });
    await expect(detail).not.toContainText('does not hold the whole request');
    await expect(detail).toContainText('Let me look.');
    await visit.getByText('Files as they were at the beginning').click();
    const file = visit.getByRole('button', { name: /^add\.js \d+ B/ });
    await file.click();
    await expect(visit.getByRole('region', { name: 'add.js' })).toContainText('a - b');
    await bar(visit).getByRole('slider', { name: 'Position' }).press('End');
    await expect(log(visit)).toContainText('it adds now');
    await expect(visit.getByText('Files as they were after turn 1')).toBeVisible();
    await expect(visit.getByRole('region', { name: 'add.js' })).toContainText('a + b');
    // Shown, and nothing more: no session and no workspace was made, nothing waits for an answer.
    await expect(visit.getByRole('navigation', { name: 'Sessions' })).toContainText('No sessions yet');
    await expect(visit.getByRole('textbox', { name: 'Message' })).toHaveCount(0);

    await bar(visit).getByRole('combobox', { name: 'Speed' }).selectOption('0.5×');
    await bar(visit).getByRole('slider', { name: 'Position' }).press('Home');
    await expect(log(visit)).not.toContainText('it adds now');
    await expect(log(visit)).toContainText('Fix add');
    await bar(visit).getByRole('button', { name: 'Play' }).click();
    await expect(log(visit)).toContainText('it adds now');
    await expect(bar(visit).getByRole('button', { name: 'Play' })).toBeVisible();
    await expect(dialog(visit)).toHaveCount(0);
    await expect(visit.getByRole('navigation', { name: 'Sessions' })).toContainText('No sessions yet');
    await stranger.close();
  });

  test('it is paused, moved and played with the keyboard', async ({ page }) => {
    const text = await exportedText(page, await recorded(page));
    await page.route('**/slow.json', (route) => route.fulfill({ json: slowed(text) }));
    await page.goto('/?recording=slow.json');
    const slider = bar(page).getByRole('slider', { name: 'Position' });
    await slider.focus();
    await page.keyboard.press('Home');
    await expect(slider).toHaveValue('0');
    await page.keyboard.press('ArrowRight');
    await expect(slider).toHaveValue('1000');
    await page.keyboard.press('Space');
    await expect(bar(page).getByRole('button', { name: 'Pause' })).toBeVisible();
    await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(1_000);
    await page.keyboard.press('Space');
    await expect(bar(page).getByRole('button', { name: 'Play' })).toBeVisible();
    const stopped = await slider.inputValue();
    expect(Number(stopped)).toBeLessThan(20_000);
    await bar(page).getByRole('combobox', { name: 'Speed' }).selectOption('Max');
    await bar(page).getByRole('button', { name: 'Play' }).click();
    await expect(log(page)).toContainText('it adds now');
    await page.keyboard.press('End');
  });

  test('it is kept as a session where that is wanted', async ({ page }) => {
    const text = await exportedText(page, await recorded(page));
    await page.route('**/fix.json', (route) =>
      route.fulfill({ body: text, contentType: 'application/json' }),
    );
    await page.goto('/?recording=fix.json');
    await bar(page).getByRole('button', { name: 'Recording actions' }).click();
    await page.getByRole('menuitem', { name: 'Save as a session' }).click();
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
    await expect(page).toHaveURL(/#\/session\//);
    await expect(log(page)).toContainText('it adds now');
  });

  test('a link that asks for what may not be fetched, or holds nothing, says so', async ({ page }) => {
    const says = (text: string) => expect(page.getByText(text)).toBeVisible();
    await page.goto('/?recording=http%3A%2F%2Fexample.org%2Fa.json');
    await says('must come from an https address');
    await page.goto('/#recording=AAAA');
    await says('The recording cannot be read');
    await page.route('**/other.json', (route) => route.fulfill({ json: { version: 1 } }));
    await page.goto('/?recording=other.json');
    await says('not a recording of a session');
  });

  test('a sub-agent’s session is opened from its task, and the inspector shows either from its own events', async ({
    page,
  }) => {
    await openApp(page);
    const give = { tool: 'task', input: { description: 'Scout', prompt: 'Read it', agent: 'explore' } };
    await useScript(
      page,
      {
        ...FIX,
        turns: [
          {
            when: '^Read it$',
            steps: [{ tools: [{ tool: 'read', input: { filePath: 'add.js' } }] }, { text: 'It subtracts.' }],
          },
          { steps: [{ tools: [give] }, { text: 'The scout is back.' }] },
        ],
      },
      'allow',
    );
    const text = await exportedText(page, (await prompt(page, 'Send a scout')).sessionID);
    await page.route('**/scout.json', (route) =>
      route.fulfill({ body: text, contentType: 'application/json' }),
    );
    await page.goto('/?recording=scout.json');
    await bar(page).getByRole('slider', { name: 'Position' }).press('End');
    await expect(log(page)).toContainText('The scout is back.');
    await page.getByRole('tab', { name: 'Inspector' }).click();
    const timeline = page.getByRole('tree');
    await expect(timeline.getByRole('treeitem', { name: /task/ })).toBeVisible();
    await expect(timeline.getByRole('treeitem', { name: /read/ })).toHaveCount(0);

    // With the keyboard alone, there and back.
    await log(page).getByRole('link', { name: /Open/ }).focus();
    await page.keyboard.press('Enter');
    await expect(log(page)).toContainText('It subtracts.');
    await expect(page).toHaveURL(/\?recording=scout\.json$/);
    await expect(timeline.getByRole('treeitem', { name: /read/ })).toBeVisible();
    await expect(bar(page).getByRole('button', { name: 'Play' })).toBeFocused();
    await bar(page).getByRole('button', { name: 'Back to Send a scout' }).press('Enter');
    await expect(log(page)).toContainText('The scout is back.');
    await expect(timeline.getByRole('treeitem', { name: /task/ })).toBeVisible();

    // One that is not in it is none of this device's either.
    await page.route('**/alone.json', (route) => {
      const whole = JSON.parse(text) as { sessions: unknown[] };
      return route.fulfill({ json: { ...whole, sessions: whole.sessions.slice(0, 1) } });
    });
    await page.goto('/?recording=alone.json');
    await bar(page).getByRole('slider', { name: 'Position' }).press('End');
    await log(page).getByRole('link', { name: /Open/ }).click();
    await expect(page.getByText('That session is not in the recording.')).toBeVisible();
    await expect(page).toHaveURL(/alone\.json$/);
  });

  test('the recording that comes with the app plays at once, in a browser that has nothing yet', async ({
    page,
  }) => {
    await page.goto('/?recording=examples/demo.vitrine.json');
    await bar(page).getByRole('combobox', { name: 'Speed' }).selectOption('Max');
    await bar(page).getByRole('button', { name: 'Play' }).click();
    await expect(log(page)).toContainText('totals.js');
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.getByRole('navigation', { name: 'Sessions' })).toContainText('No sessions yet');
  });

  for (const { name, textOf, path, before, first, second } of [
    {
      name: 'a recording',
      textOf: async (page: Page) => {
        await openApp(page);
        await useScript(page, EDIT_TWICE, 'allow');
        return exportedText(page, (await prompt(page, 'Fix add')).sessionID);
      },
      path: 'add.js',
      before: 'a - b',
      first: 'a + b',
      second: 'b + a',
    },
    {
      name: 'the recorded demo',
      textOf: () => readDownload('public/examples/demo.vitrine.json', 'utf8'),
      path: 'totals.js',
      before: 'Number(cents);',
      first: 'Number(cents.padEnd(2',
      second: undefined,
    },
  ])
    test(`${name} shows its files as they were between the calls of a turn`, async ({ page }) => {
      const recording = slowed(await textOf(page));
      await page.route('**/slow.json', (route) => route.fulfill({ json: recording }));
      await page.goto('/?recording=slow.json');
      await page.getByRole('tab', { name: 'Inspector' }).click();
      const slider = bar(page).getByRole('slider', { name: 'Position' });
      const shows = async (title: string, text: string, not?: string) => {
        await expect(page.getByText(title, { exact: true })).toBeVisible();
        await expect(page.getByRole('region', { name: path })).toContainText(text);
        if (not !== undefined) await expect(page.getByRole('region', { name: path })).not.toContainText(not);
      };
      const [one] = recording.laterFiles ?? [];
      // It is played from its first prompt on.
      const { events } = recording.sessions[0]!;
      const begins = events.find(({ type }) => type === 'prompt.accepted')!.at;
      const goTo = (at: number) => slider.fill(String(at - begins));
      await goTo(one!.at - 100);
      // A list and a file that were opened stay open, and show the file as it is at the next moment.
      await page.getByText('Files as they were at the beginning', { exact: true }).click();
      await page.getByRole('button', { name: new RegExp(`^${path} \\d+ B`) }).click();
      await shows('Files as they were at the beginning', before, first);
      await goTo(one!.at + 100);
      await shows('Files as they were after edit in turn 1', first, second);
      if (second === undefined) return;
      await slider.press('End');
      await shows('Files as they were after turn 1', second);
    });

  test('the first page plays it by itself, with one click and nothing to answer', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Or watch the recording' }).click();
    await expect(bar(page).getByRole('button', { name: 'Pause' })).toBeVisible();
    await bar(page).getByRole('combobox', { name: 'Speed' }).selectOption('Max');
    await expect(log(page)).toContainText('28.40');
    await expect(dialog(page)).toHaveCount(0);
  });

  test('a recording without a list of files says that none were recorded', async ({ page }) => {
    const whole = JSON.parse(await exportedText(page, await recorded(page))) as object;
    const body = JSON.stringify({ ...whole, files: null, laterFiles: [], contents: [] });
    await page.route('**/bare.json', (route) => route.fulfill({ body, contentType: 'application/json' }));
    await page.goto('/?recording=bare.json');
    await page.getByRole('tab', { name: 'Inspector' }).click();
    const files = page.getByRole('group').filter({ hasText: 'Files as they were at the beginning' });
    await files.getByText('Files as they were at the beginning').click();
    await expect(files).toContainText('No files were recorded.');
  });

  test('what a stranger put into a recording stays text', async ({ page }) => {
    const whole = JSON.parse(await exportedText(page, await recorded(page))) as object;
    const text = JSON.stringify({ ...whole, files: null, laterFiles: [], contents: [] });
    const evil = '<img src=x onerror=alert(1)><script>alert(2)</script><a href=javascript:alert(3)>x</a>';
    const alerts: string[] = [];
    page.on('dialog', (opened) => {
      alerts.push(opened.message());
      void opened.dismiss();
    });
    const spoilt = text
      .replaceAll('Fix add', evil)
      .replaceAll('**adds** now', evil)
      .replaceAll('"inputTokens":', '"outputTokens":9007199254740991,"inputTokens":')
      .replaceAll('Let me look.', evil);
    await page.route('**/evil.json', (route) =>
      route.fulfill({ body: spoilt, contentType: 'application/json' }),
    );
    await page.goto('/?recording=evil.json');
    await bar(page).getByRole('slider', { name: 'Position' }).press('End');
    await expect(log(page)).toContainText('<img src=x onerror=alert(1)>');
    await expect(log(page).locator('img, script')).toHaveCount(0);
    await expect(log(page).locator('a[href^="javascript"]')).toHaveCount(0);
    await bar(page).getByRole('slider', { name: 'Position' }).press('Home');
    await bar(page).getByRole('button', { name: 'Play' }).click();
    await expect(log(page)).toContainText('<img');
    expect(alerts).toEqual([]);
  });
});

test.describe('run for real', () => {
  const run = (page: Page) => page.getByRole('group', { name: 'Recording run for real' });

  test('the tools really run in a new workspace and ask as usual; what differs is shown', async ({
    page,
  }) => {
    const recording = JSON.parse(await exportedText(page, await recorded(page))) as {
      sessions: { events: { type: string; output?: string }[] }[];
    };
    // In this record the command had printed something that it does not print.
    for (const event of recording.sessions[0]!.events)
      if (event.type === 'call.ended' && event.output?.startsWith('export const'))
        event.output = 'export const add = (a, b) => a * b;\n';
    await page.route('**/fix.json', (route) => route.fulfill({ json: recording }));
    await page.goto('/?automation=1&recording=fix.json');
    await page.getByRole('button', { name: 'Run for real' }).click();
    await expect(run(page)).toBeVisible();
    await run(page).getByRole('combobox', { name: 'Speed' }).selectOption('Max');
    // Both calls are of one step: what comes after them is held.
    await expect(dialog(page)).toBeVisible();
    await run(page).getByRole('button', { name: 'Pause' }).click();
    for (const what of ['add.js', 'cat add.js']) {
      await expect(dialog(page)).toContainText(what);
      const allow = dialog(page).getByRole('button', { name: 'Allow once' });
      await expect(allow).toBeEnabled();
      await allow.click();
    }
    await expect(run(page)).toContainText('Live run, paused: 2 of 3 calls match the recording, 1 differs.');
    await expect(log(page)).not.toContainText('it adds now');
    await run(page).getByRole('button', { name: 'Play' }).click();
    await expect(log(page)).toContainText('it adds now');
    await expect(run(page)).toContainText('Live run, finished: 2 of 3 calls match the recording, 1 differs.');
    expect(await readFile(page, 'add.js')).toContain('a + b');

    await run(page).getByRole('button', { name: 'Show differences' }).click();
    const sheet = page.getByRole('dialog', { name: 'Differences from the recording' });
    await expect(sheet.getByRole('listitem')).toHaveCount(3);
    await expect(sheet.getByRole('listitem').filter({ hasText: 'Different' })).toContainText('a * b');
    await page.keyboard.press('Escape');
    // From here on it is a session like any other.
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  });

  test('what is refused ends it, and nothing of it is done', async ({ page }) => {
    const recording = JSON.parse(await exportedText(page, await recorded(page))) as object;
    await page.route('**/fix.json', (route) => route.fulfill({ json: recording }));
    await page.goto('/?automation=1&recording=fix.json');
    await page.getByRole('button', { name: 'Run for real' }).click();
    await run(page).getByRole('combobox', { name: 'Speed' }).selectOption('Max');
    const deny = dialog(page).getByRole('button', { name: 'Deny' });
    await expect(deny).toBeEnabled();
    await deny.click();
    await expect(run(page)).toContainText('1 of 3 calls match the recording, 2 differ.');
    expect(await readFile(page, 'add.js')).toContain('a - b');
  });

  test('a script is made of a recording, and plays', async ({ page }) => {
    const recording = JSON.parse(await exportedText(page, await recorded(page))) as object;
    await page.route('**/fix.json', (route) => route.fulfill({ json: recording }));
    await page.goto('/?automation=1&recording=fix.json');
    await bar(page).getByRole('button', { name: 'Recording actions' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Make a script' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('fix-add.script.json');
    const script = JSON.parse(await readDownload(await download.path(), 'utf8')) as Script;
    expect(script.turns[0]?.steps.map(({ tools }) => tools?.map(({ tool }) => tool))).toEqual(
      FIX.turns[0]?.steps.map(({ tools }) => tools?.map(({ tool }) => tool)),
    );
    await useScript(page, { ...script, chunkDelayMs: 0 }, 'allow');
    expect((await prompt(page, 'Fix add')).status).toBe('idle');
    expect(await readFile(page, 'add.js')).toContain('a + b');
  });
});
