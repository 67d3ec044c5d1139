import type { Locator, Page } from '@playwright/test';
import { start } from '../support/model-server/server.ts';
import { answer, calls, configure, dialog, openApp, script, send, useScript, writeFile } from './app.ts';
import { expect, test } from './test.ts';

const inspector = (page: Page) => page.getByRole('tabpanel', { name: 'Inspector' });
const rows = (page: Page) => inspector(page).getByRole('treeitem');
const row = (page: Page, name: RegExp) => inspector(page).getByRole('treeitem', { name });
const station = (page: Page, name: RegExp) =>
  inspector(page)
    .getByRole('list', { name: 'Life of this call' })
    .getByRole('listitem')
    .filter({ hasText: name });

async function played(page: Page): Promise<void> {
  await openApp(page);
  await writeFile(page, 'a.txt', 'one\ntwo\n');
  await writeFile(page, 'key.txt', 'It is ghp_0123456789abcdefghij.');
  await useScript(
    page,
    script(
      {
        text: 'I read first.',
        tools: [
          { tool: 'read', input: { filePath: 'a.txt' } },
          { tool: 'bash', input: { command: 'echo hello from the shell', description: 'Say hello' } },
        ],
      },
      { tools: [{ tool: 'nonsense', input: { a: 1 } }] },
      { text: 'That is all.' },
    ),
    { bash: 'ask' },
  );
  await send(page, 'Look into it');
  await page.getByRole('tab', { name: 'Inspector' }).click();
}

test('turns, steps and calls with their times; a call that waits says so, and why it was asked', async ({
  page,
}) => {
  await played(page);
  await expect(dialog(page)).toBeVisible();
  await expect(row(page, /^Run bash ?, waiting for you/)).toBeVisible();
  await row(page, /^Run bash/).click();
  await expect(station(page, /^pending/)).toHaveAttribute('aria-current', 'step');
  await expect(inspector(page)).toContainText('Asked because the rule “bash *: ask” of the settings decided');
  await answer(page, 'Allow once');
  await expect(page.getByRole('article').last()).toContainText('That is all.');
  await expect(station(page, /^done/)).toBeVisible();
  await expect(inspector(page)).toContainText('Allowed once by you after');

  await expect(rows(page)).toHaveText([
    /Turn 1 Look into it.*done/,
    /Step 1 .*done/,
    /read .*done/,
    /bash .*done/,
    /Step 2 .*done/,
    /nonsense .*not valid/,
    /Step 3 .*done/,
  ]);

  await inspector(page).getByRole('tab', { name: 'Output' }).click();
  await expect(inspector(page).getByRole('region', { name: 'Full output' })).toContainText(
    'hello from the shell',
  );
  await expect(inspector(page).getByRole('region', { name: 'What the model saw' })).toContainText(
    '"tool-result"',
  );
  await inspector(page).getByRole('tab', { name: 'Rules' }).click();
  await expect(inspector(page).getByRole('list', { name: 'Decisions, in order' })).toContainText('bash *');
  const considered = inspector(page).getByRole('list', { name: /^Rules that match/ });
  await expect(considered.getByRole('listitem')).toHaveText([
    /^bash \*: ask, from the defaults\s*$/,
    /^bash \*: ask, from the settings\s+decided\s*$/,
  ]);
  await inspector(page).getByRole('tab', { name: 'Stream' }).click();
  await expect(inspector(page).getByRole('list', { name: 'Parts of the answer, in order' })).toContainText(
    'permission.answered',
  );

  await row(page, /^nonsense/).click();
  await inspector(page).getByRole('tab', { name: 'Call' }).click();
  await expect(station(page, /^not valid/).first()).toBeVisible();
  await expect(inspector(page)).toContainText('There is no tool of this name.');

  await page.reload();
  await page.getByRole('tab', { name: 'Inspector' }).click();
  await expect(rows(page)).toHaveCount(7);
});

test('a call has the name and the colour of its card, also where what it ran has failed', async ({
  page,
}) => {
  await openApp(page);
  const bash = { tool: 'bash', input: { command: 'false', description: 'Fail' } };
  const symbols = { tool: 'lsp', input: { operation: 'documentSymbol', filePath: 'a.ts' } };
  await writeFile(page, 'a.ts', 'export const one = 1;\n');
  await useScript(page, script({ tools: [bash, symbols] }, { text: 'So it is.' }), 'allow');
  await send(page, 'Try');
  await expect(page.getByRole('article').last()).toContainText('So it is.');
  await page.getByRole('tab', { name: 'Inspector' }).click();
  for (const [tool, verb, end] of [
    ['bash', 'Run', 'done, exit 1'],
    ['lsp', 'Symbols', 'done'],
  ] as const) {
    await expect(calls(page, tool).getByRole('button').first()).toHaveAccessibleName(new RegExp(`^${verb} `));
    await row(page, new RegExp(`^${verb} ${tool} ?, ${end},`)).click();
    await expect(
      inspector(page).getByRole('heading', { name: new RegExp(`^${verb} ${tool} `) }),
    ).toBeVisible();
  }
  const colourOf = (dot: Locator) => dot.evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await colourOf(row(page, /^Run bash/).locator('.dot'))).toBe(
    await colourOf(calls(page, 'bash').locator('.dot').first()),
  );
  await inspector(page).getByRole('combobox', { name: 'Show' }).selectOption('Failed or denied');
  await expect(rows(page)).toHaveText([/Turn 1 /, /Step 1 /, /Run bash/]);
  await page.getByRole('tab', { name: 'Log' }).click();
  await expect(page.locator('[data-service="tool.bash"][data-event="call"]')).toContainText('done, exit 1');
});

test('the tree is walked with the keyboard alone', async ({ page }) => {
  await played(page);
  await answer(page, 'Allow once');
  await expect(rows(page)).toHaveCount(7);
  const tree = inspector(page).getByRole('tree', { name: 'Turns, steps and calls' });
  await tree.focus();
  const active = async () => page.locator(`#${await tree.getAttribute('aria-activedescendant')}`);
  await page.keyboard.press('Home');
  await expect(await active()).toHaveAccessibleName(/^Turn 1/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(await active()).toHaveAccessibleName(/^Read read/);
  await expect(await active()).toHaveAttribute('aria-selected', 'true');
  await expect(inspector(page).getByRole('heading', { name: /^Read read/ })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(await active()).toHaveAccessibleName(/^Step 1/);
  await page.keyboard.press('ArrowLeft');
  await expect(await active()).toHaveAttribute('aria-expanded', 'false');
  await expect(rows(page)).toHaveCount(5);
  await page.keyboard.press('ArrowRight');
  await expect(rows(page)).toHaveCount(7);
});

test('the request of a step equals what was sent, over a real protocol; cURL and snippet hold no key', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const KEY = 'sk-a-key-that-nobody-else-has';
  const turns = [{ steps: [{ tools: [{ tool: 'list', input: {} }] }, { text: 'Listed.' }] }];
  const server = await start({ script: { version: 1, title: 'job', chunkDelayMs: 0, turns }, key: KEY });
  await openApp(page);
  await configure(page, {
    ...{ provider: 'openai-compatible', baseURL: `${server.url}/v1`, apiKey: KEY, model: 'test-model' },
    permission: 'allow',
  });
  await send(page, `My token is ${KEY}`);
  await expect(page.getByRole('article').last()).toContainText('Listed.');
  await page.getByRole('tab', { name: 'Inspector' }).click();
  await row(page, /^Step 2/).click();
  await expect(inspector(page)).toContainText('The body rebuilt from the log equals what was sent.');
  await expect(inspector(page)).toContainText('Messages: 3, of which 2 new with this step');
  await inspector(page).getByText('Body, as sent').click();
  await expect(inspector(page).getByRole('region', { name: 'Body, as sent' })).toContainText('"test-model"');

  const copied = async (way: string) => {
    await inspector(page)
      .getByRole('button', { name: `Copy as ${way}` })
      .click();
    await expect(page.getByText(`Copied as ${way}.`)).toBeVisible();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const curl = await copied('cURL');
  expect(curl).toContain(`${server.url}/v1/chat/completions`);
  expect(curl).toContain('$API_KEY');
  const snippet = await copied('AI SDK');
  expect(snippet).toContain("from '@ai-sdk/openai-compatible'");
  const json: unknown = JSON.parse(await copied('JSON'));
  expect(json).toMatchObject({ kind: 'step', request: { messages: [{ role: 'user' }, {}, {}] } });

  await inspector(page).getByRole('tab', { name: 'Answer' }).click();
  await expect(inspector(page).getByRole('region', { name: 'Text', exact: true })).toHaveText('Listed.');
  const told = (name: string) =>
    inspector(page)
      .getByRole('definition')
      .and(page.locator(`dt:text-is("${name}") + dd`));
  for (const name of ['Input', 'Output']) await expect(told(name)).toHaveText(/^[1-9][\d,]*$/);
  await expect(told('Cost')).toHaveText('price unknown');
  await expect(told('Took')).toHaveText(/\d/);
  await expect(told('Ended with')).toHaveText('stop');
  await inspector(page).getByRole('tab', { name: 'Request' }).click();
  const shown = (await inspector(page).textContent()) ?? '';
  for (const text of [curl, snippet, JSON.stringify(json), shown]) expect(text.includes(KEY)).toBe(false);

  // A reload forgets the bodies, not the digests.
  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await page.getByRole('tab', { name: 'Inspector' }).click();
  await row(page, /^Step 2/).click();
  await expect(inspector(page).getByText('SHA-256 as sent')).toBeVisible();
  await server.close();
});

test('what is searched for and filtered is what is listed, with what is above it', async ({ page }) => {
  await played(page);
  await answer(page, 'Allow once');
  await expect(rows(page)).toHaveCount(7);
  const search = inspector(page).getByRole('searchbox', { name: 'Search in steps and calls' });
  await search.fill('from the shell');
  await expect(rows(page)).toHaveText([/Turn 1 /, /Step 1 /, /bash /]);
  await expect(inspector(page).getByText('1 match')).toBeVisible();
  await search.fill('');
  const show = inspector(page).getByRole('combobox', { name: 'Show' });
  await show.selectOption('Failed or denied');
  await expect(rows(page)).toHaveText([/Turn 1 /, /Step 2 /, /nonsense /]);
  await show.selectOption('Calls of read (Read)');
  await expect(rows(page)).toHaveText([/Turn 1 /, /Step 1 /, /read /]);
  await search.fill('nowhere');
  await expect(inspector(page)).toContainText('No step or call matches.');
});

test('the page as it was at any event, marked as the past, and back to now; the files as they were at the start', async ({
  page,
}) => {
  await played(page);
  await answer(page, 'Allow once');
  await expect(rows(page)).toHaveCount(7);
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
  const slider = inspector(page).getByRole('slider', { name: 'Event' });
  await expect(slider).toHaveAttribute('aria-valuetext', /^After/);
  const eventsNow = async () => {
    const log = await page.evaluate(async () => {
      const [session] = await window.vitrine.sessions.list();
      return JSON.stringify(await window.vitrine.sessions.events(session!.id));
    });
    return JSON.parse(log) as { type: string }[];
  };
  const past = page.getByRole('region', { name: 'You are looking at the past.' });
  let events = await eventsNow();
  const asked = events.findIndex(({ type }) => type === 'permission.asked');
  // A snapshot may still be taken after the end of the turn, and the past counts the events of the moment it was opened.
  await expect(async () => {
    events = await eventsNow();
    await slider.fill(String(asked));
    await slider.fill(String(asked + 1));
    const told = `As it was after event ${asked + 1} of ${events.length}.`;
    await expect(past).toContainText(told, { timeout: 1_000 });
  }).toPass();
  await expect(past.getByText('I read first.')).toBeVisible();
  await expect(past.locator('[data-tool="bash"]')).toBeVisible();
  await expect(past.getByText('That is all.')).toHaveCount(0);

  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await expect(slider).toHaveAttribute(
    'aria-valuetext',
    // A snapshot that comes late may stand before the answer.
    `Event ${asked + 2} of ${events.length}: ${events[asked + 1]?.type}`,
  );
  await inspector(page)
    .getByText(/^Files as they were at event/)
    .click();
  await inspector(page)
    .getByRole('button', { name: /^a\.txt/ })
    .click();
  await expect(inspector(page).getByRole('region', { name: 'a.txt' })).toContainText('one');
  await inspector(page)
    .getByRole('button', { name: /^key\.txt/ })
    .click();
  await expect(inspector(page).getByRole('region', { name: 'key.txt' })).toHaveText('It is [secret].');

  await page.keyboard.press('Home');
  await slider.fill('0');
  await expect(past).toContainText('Nothing had been said yet.');
  await past.getByRole('button', { name: 'Back to now' }).click();
  await expect(past).toHaveCount(0);
  await expect(page.getByRole('article').last()).toContainText('That is all.');
});

test('the files of the past are those of the turn before, not only of the start', async ({ page }) => {
  await openApp(page);
  await writeFile(page, 'a.txt', 'one');
  const write = (content: string) => ({
    steps: [{ tools: [{ tool: 'write', input: { filePath: 'b.txt', content } }] }, { text: `${content}.` }],
  });
  const turns = [write('two'), write('three')];
  await useScript(page, { version: 1, title: '', chunkDelayMs: 10, turns }, 'allow');
  await send(page, 'Write');
  await expect(page.getByRole('article').last()).toContainText('two.');
  await send(page, 'Write again');
  await expect(page.getByRole('article').last()).toContainText('three.');
  await page.getByRole('tab', { name: 'Inspector' }).click();
  const log = await page.evaluate(async () => {
    const [session] = await window.vitrine.sessions.list();
    return JSON.stringify(await window.vitrine.sessions.events(session!.id));
  });
  const types = (JSON.parse(log) as { type: string }[]).map(({ type }) => type);
  // Before the second call runs, the files after the first have been noted.
  await inspector(page)
    .getByRole('slider', { name: 'Event' })
    .fill(String(types.lastIndexOf('call.running')));
  await inspector(page)
    .getByText(/^Files as they were at event/)
    .click();
  await inspector(page)
    .getByRole('button', { name: /^b\.txt/ })
    .click();
  await expect(inspector(page).getByRole('region', { name: 'b.txt' })).toContainText('two');
});

test('what was held and changed while stepping is told: times, marks, and a digest that is of what went out', async ({
  page,
}) => {
  const turns = [{ steps: [{ tools: [{ tool: 'list', input: {} }] }, { text: 'Listed.' }] }];
  const server = await start({ script: { version: 1, title: 'job', chunkDelayMs: 0, turns } });
  await openApp(page);
  await configure(page, {
    ...{ provider: 'openai-compatible', baseURL: `${server.url}/v1`, apiKey: 'k', model: 'test-model' },
    permission: 'allow',
  });
  await page.getByRole('button', { name: 'New session' }).click();
  await page.getByRole('button', { name: 'Step through' }).click();
  const bar = page.getByRole('region', { name: 'Stepping' });
  await page.getByRole('tab', { name: 'Inspector' }).click();
  await bar.getByRole('button', { name: 'Step', exact: true }).click();
  await send(page, 'List it');
  await expect(row(page, /^Step 1 ?, paused by hand/)).toBeVisible();
  await bar.getByRole('textbox', { name: 'Message 1, user' }).fill('List <b>them</b>');
  await page.keyboard.press('F10');
  await expect(bar).toContainText('Paused after');
  await page.keyboard.press('F10');
  await expect(row(page, /^List list ?, paused by hand/)).toBeVisible();
  await bar.getByRole('button', { name: 'Answer in its place' }).click();
  await bar.getByRole('textbox', { name: 'What list says' }).fill('Nothing there.');
  await page.keyboard.press('F8');
  await expect(page.getByRole('article').last()).toContainText('Listed.');

  await inspector(page).getByRole('combobox', { name: 'Show' }).selectOption('What you changed');
  await expect(rows(page)).toHaveText([/Turn 1 /, /Step 1 ?, changed by you/, /list ?, changed by you/]);
  await row(page, /^List list/).click();
  await expect(inspector(page)).toContainText('You answered in the tool’s place: it did not run.');
  await expect(inspector(page)).toContainText('You paused it before it ran, for');
  await row(page, /^Step 1/).click();
  await expect(inspector(page)).toContainText('The body rebuilt from the log equals what was sent.');
  await expect(inspector(page)).toContainText('You changed this request before it went out');
  await expect(inspector(page).getByRole('region', { name: '1. user', exact: true })).toContainText(
    'List <b>them</b>',
  );
  await inspector(page).getByText('Before you changed it').click();
  await expect(inspector(page).getByRole('region', { name: 'Before you changed it: 1. user' })).toContainText(
    'List it',
  );
  await row(page, /^Turn 1/).click();
  await expect(inspector(page)).toContainText('Paused by hand');
  await server.close();
});
