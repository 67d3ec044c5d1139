import type { Page } from '@playwright/test';
import type { Script } from '../../src/models/types.ts';
import { answer, calls, dialog, openApp, readFile, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

const given = (tool: string, prompt: string) => ({
  tool,
  input: { agent: 'general', description: 'Note the total', prompt },
});

/** The first turn is the person's; the others are told by what they are asked. */
function scripted(...turns: Script['turns']): Script {
  return { version: 1, title: 'sub-agents', chunkDelayMs: 0, turns };
}

const child: Script['turns'][number] = {
  when: 'CHILD',
  steps: [
    {
      text: 'Writing it down.',
      tools: [{ tool: 'write', input: { filePath: 'total.txt', content: '42\n' } }],
    },
    { text: 'The total is **42**, it stands in total.txt.' },
  ],
};

const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const log = (page: Page) => page.getByRole('log', { name: 'Conversation' });

test('a sub-agent asks on the page of its parent; its session is a link away, and back', async ({ page }) => {
  await openApp(page);
  await useScript(
    page,
    scripted({ steps: [{ tools: [given('task', 'CHILD: note it')] }, { text: 'It is noted.' }] }, child),
  );
  await send(page, 'Note the total');
  await expect(dialog(page)).toContainText('for sub-agent general: Note the total');
  await expect(dialog(page)).toContainText('total.txt');
  await expect(page.getByRole('list', { name: 'Latest activity' })).toContainText('Write');
  const rows = page.getByRole('navigation', { name: 'Sessions' }).getByRole('link');
  await expect(rows.first()).toContainText('Waiting');
  await answer(page, 'Allow once');
  await expect(log(page)).toContainText('It is noted.');
  expect(await readFile(page, 'total.txt')).toBe('42\n');
  const task = calls(page, 'task');
  await expect(task).toHaveAttribute('data-outcome', 'ok');
  await expect(task).toContainText('2 steps, 1 call');
  await task.getByRole('link', { name: 'Open its session: Note the total' }).click();
  await expect(log(page)).toContainText('The total is 42');
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveCount(0);
  await page.reload();
  await expect(log(page)).toContainText('CHILD: note it');
  await page.getByRole('link', { name: 'Back to Note the total' }).click();
  await expect(log(page)).toContainText('It is noted.');
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
});

test('work in the background is announced when it ends, and the agent goes on', async ({ page }) => {
  await openApp(page);
  await useScript(
    page,
    scripted(
      { steps: [{ tools: [given('background_task', 'CHILD: note it')] }, { text: 'It is under way.' }] },
      child,
      { when: 'background has ended', steps: [{ text: 'Now it is noted.' }] },
    ),
  );
  await send(page, 'Note the total');
  await expect(log(page)).toContainText('It is under way.');
  await expect(calls(page, 'background_task')).toContainText('running in the background');
  await answer(page, 'Allow once');
  await expect(log(page)).toContainText('Now it is noted.');
  await expect(page.getByRole('article', { name: 'The app' })).toContainText(
    'Background work ended: Note the total (done)',
  );
  await expect(calls(page, 'background_task')).toContainText('done');
});

test('a second tab shows what a sub-agent asks on the page of its parent; taking over stops the work and says so', async ({
  page,
  context,
}) => {
  await openApp(page);
  await useScript(
    page,
    scripted({ steps: [{ tools: [given('task', 'CHILD: note it')] }, { text: 'It is noted.' }] }, child),
  );
  await send(page, 'Note the total');
  await expect(dialog(page)).toContainText('for sub-agent general: Note the total');
  const second = await context.newPage();
  await second.goto(page.url());
  await expect(dialog(second)).toContainText('for sub-agent general: Note the total');
  await expect(dialog(second)).toContainText('Answer this in the other tab.');
  await second.getByRole('button', { name: 'Take over' }).click();
  for (const tab of [page, second]) {
    await expect(dialog(tab)).toHaveCount(0);
    await expect(calls(tab, 'task')).toHaveAttribute('data-outcome', 'cancelled');
    await expect(tab.getByRole('button', { name: 'Stop' })).toHaveCount(0);
  }
  await expect(message(second)).not.toHaveAttribute('readonly', '');
  await calls(second, 'task').getByRole('link', { name: 'Open its session: Note the total' }).click();
  await expect(second.getByText('This session is open in another tab.')).toHaveCount(0);
  await expect(calls(second, 'write')).toHaveAttribute('data-outcome', 'cancelled');
});

test('a lasting yes to one sub-agent answers the other, which asks the same; background: true is work in the background', async ({
  page,
}) => {
  const noted: Script['turns'][number] = {
    when: 'CHILD',
    steps: [
      { tools: [{ tool: 'bash', input: { command: 'node -v', description: 'v' } }] },
      { text: 'Noted.' },
    ],
  };
  const { input } = given('task', 'CHILD: note it');
  await openApp(page);
  await useScript(
    page,
    scripted(
      {
        steps: [
          { tools: [{ tool: 'task', input: { ...input, background: true } }, given('task', 'CHILD: again')] },
          { text: 'One is done.' },
        ],
      },
      noted,
      { when: 'background has ended', steps: [{ text: 'Both are done.' }] },
    ),
  );
  await send(page, 'Note the total');
  await expect(dialog(page)).toContainText('1 of 2');
  await answer(page, 'Allow for this session');
  await expect(log(page)).toContainText('Both are done.');
  await expect(dialog(page)).toHaveCount(0);
  await expect(calls(page, 'task').first()).toContainText('done');
});

test('a session is deleted and brought back with its sub-agents, while one of them asks', async ({
  page,
}) => {
  await openApp(page);
  await useScript(
    page,
    scripted({ steps: [{ tools: [given('task', 'CHILD: note it')] }, { text: 'It is noted.' }] }, child),
  );
  await send(page, 'Note the total');
  await expect(dialog(page)).toBeVisible();
  const sessions = page.getByRole('navigation', { name: 'Sessions' });
  await sessions.getByRole('listitem').first().hover();
  await sessions.getByRole('listitem').first().getByRole('button', { name: 'Actions' }).first().click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(sessions.getByRole('link')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await sessions.getByRole('link').first().click();
  await expect(calls(page, 'task')).toHaveAttribute('data-outcome', 'cancelled');
  await calls(page, 'task').getByRole('link', { name: 'Open its session: Note the total' }).click();
  await expect(calls(page, 'write')).toHaveAttribute('data-outcome', 'cancelled');
});

test('a reload interrupts what runs in the background, and says so', async ({ page }) => {
  await openApp(page);
  await useScript(
    page,
    scripted(
      { steps: [{ tools: [given('background_task', 'CHILD: note it')] }, { text: 'It is under way.' }] },
      child,
    ),
  );
  await send(page, 'Note the total');
  await expect(dialog(page)).toBeVisible();
  await page.reload();
  await expect(page.getByRole('article', { name: 'The app' })).toContainText('(interrupted)');
  await expect(dialog(page)).toHaveCount(0);
});

test('the agent is chosen by keyboard and kept over a reload; a plan is approved and carried out', async ({
  page,
}) => {
  const write = (filePath: string, content: string) => ({
    tools: [{ tool: 'write', input: { filePath, content } }],
  });
  const plans = scripted(
    {
      when: 'Plan it',
      steps: [
        write('a.txt', 'no'),
        write('.opencode/plans/a.md', '# Plan\n'),
        { tools: [{ tool: 'plan_exit', input: {} }] },
      ],
    },
    { when: 'approved', steps: [write('a.txt', 'yes'), { text: 'Carried out.' }] },
  );
  await openApp(page);
  await useScript(page, plans);
  await page.evaluate(() => window.vitrine.sessions.create());
  await expect(page.getByRole('button', { name: 'Agent: Build' })).toBeVisible();
  await page.keyboard.press('Control+Shift+G');
  await page.getByRole('menuitemradio', { name: /^Plan/ }).click();
  await expect(page.getByRole('button', { name: 'Agent: Plan' })).toBeVisible();
  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await expect(page.getByRole('button', { name: 'Agent: Plan' })).toBeVisible();
  await useScript(page, plans);
  await send(page, 'Plan it');
  const question = page.getByRole('dialog', { name: 'Question' });
  await expect(question).toContainText('The plan is in .opencode/plans/a.md. Carry it out?');
  await expect(calls(page, 'write').first()).toHaveAttribute('data-outcome', 'denied');
  await question.getByRole('radio', { name: /^Yes/ }).check();
  await expect(question.getByRole('button', { name: 'Submit' })).toBeEnabled();
  await question.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('button', { name: 'Agent: Build' })).toBeVisible();
  await answer(page, 'Allow once');
  await expect(log(page)).toContainText('Carried out.');
  await expect(page.getByRole('article', { name: 'The app' })).toContainText(
    'Continues with the agent Build',
  );
  expect(await readFile(page, 'a.txt')).toBe('yes');
});
