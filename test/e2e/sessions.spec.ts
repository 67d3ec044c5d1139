import { calls, openApp, prompt, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

const talk = {
  version: 1 as const,
  title: 'talk',
  chunkDelayMs: 0,
  turns: [{ steps: [{ text: 'The pelican answers.' }] }, { steps: [{ text: 'Again.' }] }],
};

test('sessions are listed, found by their text, renamed, deleted and brought back', async ({ page }) => {
  await openApp(page);
  await useScript(page, talk);
  await prompt(page, 'Tell me about birds');
  const list = page.getByRole('navigation', { name: 'Sessions' });
  await expect(list.getByRole('link')).toHaveCount(1);

  await list.getByRole('searchbox').fill('pelican');
  await expect(list.getByRole('link')).toHaveCount(1);
  await list.getByRole('searchbox').fill('walrus');
  await expect(list.getByRole('link')).toHaveCount(0);
  await list.getByRole('searchbox').fill('');

  await list.getByRole('link').hover();
  await list.getByRole('listitem').getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(list.getByRole('link')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(list.getByRole('link')).toHaveCount(1);
  await list.getByRole('link').click();
  await expect(page.getByRole('article').last()).toContainText('The pelican answers.');
});

test('a second tab follows and cannot write until it takes over', async ({ context }) => {
  const first = await context.newPage();
  await openApp(first);
  await useScript(first, talk);
  await prompt(first, 'Hello');
  const address = first.url();

  const second = await context.newPage();
  await second.goto(address);
  await expect(second.getByRole('article').last()).toContainText('The pelican answers.');
  const takeOver = second.getByRole('button', { name: 'Take over' });
  await expect(takeOver).toBeVisible();

  await prompt(first, 'And again');
  await expect(second.getByRole('article').last()).toContainText('Again.');

  await takeOver.click();
  await expect(takeOver).toHaveCount(0);
  await expect(first.getByRole('button', { name: 'Take over' })).toBeVisible();
});

test('the full text of a long output survives a reload and can be read by the model', async ({ page }) => {
  await openApp(page);
  await useScript(
    page,
    {
      version: 1,
      title: 'long',
      chunkDelayMs: 0,
      turns: [
        {
          steps: [
            { tools: [{ tool: 'bash', input: { command: 'seq 1 5000', description: 'Count' } }] },
            { text: 'Counted.' },
          ],
        },
        {
          steps: [
            { tools: [{ tool: 'read', input: { filePath: 'PATH', offset: 1234, limit: 1 } }] },
            { text: 'Read.' },
          ],
        },
      ],
    },
    { bash: 'allow' },
  );
  const { sessionID } = await prompt(page, 'Count');
  const hint = await page.evaluate(
    async (id) => JSON.stringify(await window.vitrine.sessions.messages(id)),
    sessionID,
  );
  const path = /~\/\.opencode\/truncate\/[^"\\ ]+\.txt/.exec(hint)?.[0];
  expect(path).toBeDefined();

  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await useScript(
    page,
    {
      version: 1,
      title: 'read it',
      chunkDelayMs: 0,
      turns: [
        { steps: [{ text: 'unused' }] },
        {
          steps: [
            {
              tools: [
                { tool: 'read', input: { filePath: path!, offset: 1234, limit: 1 } },
                { tool: 'grep', input: { pattern: '^4321$', path: path! } },
                { tool: 'bash', input: { command: `sed -n 2345p ${path!}`, description: 'Look' } },
              ],
            },
            { text: 'Read.' },
          ],
        },
      ],
    },
    { bash: 'allow' },
  );
  await prompt(page, 'Read it');
  await expect(calls(page, 'read')).toHaveAttribute('data-outcome', 'ok');
  const messages = await page.evaluate(
    async (id) => JSON.stringify(await window.vitrine.sessions.messages(id)),
    sessionID,
  );
  expect(messages).toContain('1234: 1234');
  expect(messages).toContain('4321: 4321');
  await expect(calls(page, 'bash').last()).toContainText('2345');
});

test('?prompt fills the composer and sends nothing', async ({ page }) => {
  await page.goto('/?prompt=Do%20it&automation=1');
  await page.evaluate(() => window.vitrine.ready);
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Do it');
  expect(await page.evaluate(() => window.vitrine.sessions.list())).toEqual([]);
});

test('?workspace=webcontainer says why where none can be had', async ({ page }) => {
  await page.goto('/?workspace=webcontainer');
  await page.getByRole('button', { name: 'New workspace' }).click();
  await expect(page.getByRole('status', { name: 'Workspace' })).toContainText(
    'stackblitz.com, where WebContainers come from, cannot be reached.',
  );
});

test('a session that the address names and nobody knows is told plainly', async ({ page }) => {
  await page.goto('/#/session/ses_unknown');
  await expect(page.getByText(/no session|not found|unknown/i).first()).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
});

test('a tool call outlives a second prompt: the log has exactly one result for each call', async ({
  page,
}) => {
  await openApp(page);
  await useScript(
    page,
    script(
      {
        tools: [1, 2, 3].map((n) => ({ tool: 'bash', input: { command: `echo ${n}`, description: 'Say' } })),
      },
      { text: 'Said.' },
    ),
    { bash: 'allow' },
  );
  await send(page, 'Say');
  await expect(page.getByRole('article').last()).toContainText('Said.');
  const [session] = await page.evaluate(() => window.vitrine.sessions.list());
  const events = (await page.evaluate((id) => window.vitrine.sessions.events(id), session!.id)) as {
    type: string;
  }[];
  expect(events.filter(({ type }) => type === 'call.ended')).toHaveLength(3);
  expect(events.filter(({ type }) => type === 'call.running')).toHaveLength(3);
});
