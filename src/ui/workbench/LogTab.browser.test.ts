import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../test/support/stories/open-page.ts';

function call(session: FakeSession, callID: string, tool: string, command: string, output: string): void {
  session.running('m1', callID, tool, { command });
  session.wait(12);
  session.ended('m1', callID, output);
}

/** Opens the log of a session in which nothing has happened. */
async function openLog() {
  const app = new FakeApp();
  app.space('w', 'space');
  const session = app.add(new FakeSession('ses_a', 'w', 'A')) as FakeSession;
  await openPage(app, 'ses_a');
  await page.getByRole('tab', { name: 'Log' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Log' });
  await expect.element(panel.getByText('Nothing has been called')).toBeVisible();
  return { app, session, panel };
}

test('the log has the calls of its session, as they end too, and can be filtered and cleared', async () => {
  const { app, session, panel } = await openLog();

  app.toolStarts.started('bash', 40);
  session.user('m0', 'Go');
  session.step('m1');
  call(session, 'c1', 'bash', 'npm test', 'All <b>passed</b>');
  session.running('m1', 'c2', 'webfetch', { url: 'https://example.com' });
  session.ended('m1', 'c2', 'No answer', { outcome: 'failed', faultCode: 'timeout' });
  const calls = panel.getByRole('list', { name: 'Calls' });
  await expect.element(calls.getByText('timed out')).toBeVisible();
  await expect.element(panel.getByRole('row', { name: /^bash 1 40 ms, 40 ms 12 ms 12 ms/ })).toBeVisible();

  await panel.getByRole('searchbox').fill('npm');
  await expect.poll(() => calls.getByRole('listitem').elements().length).toBe(1);
  await calls.getByText('tool.bash').click();
  await expect.element(calls.getByText('All <b>passed</b>')).toBeVisible();
  await panel.getByRole('searchbox').fill('nonsense');
  await expect.element(panel.getByText('Nothing matches this filter.')).toBeVisible();
  await panel.getByRole('searchbox').fill('');
  await panel.getByRole('button', { name: 'Clear' }).click();
  await expect.element(panel.getByText('Nothing has been called since you cleared the list.')).toBeVisible();
  await panel.getByRole('button', { name: 'Show older calls' }).click();
  await expect.element(calls.getByText('timed out')).toBeVisible();
});

test('the log has what happened in the preview, as text, with the number of problems and of what was left out', async () => {
  const { session, panel } = await openLog();

  session.append({
    type: 'preview.noted',
    entries: [
      { kind: 'page', target: '/start' },
      {
        kind: 'console',
        level: 'log',
        text: '<img src=x onerror=alert(1)>\u202e',
        source: '/a.js:1:2',
        times: 4,
      },
      { kind: 'error', text: 'count is not defined', source: '/a.js:3:4', stack: 'at add (/a.js:3:4)' },
    ],
    leftOut: 9_900,
  });
  await panel.getByText('In the preview: 2 messages, 1 problem').click();
  const list = panel.getByRole('list', { name: 'In the preview' });
  await expect
    .element(list.getByText(/<img src=x onerror=alert\(1\)>\\u202e \(\/a.js:1:2\) ×4/))
    .toBeVisible();
  await expect.element(list.getByText('Page: /start')).toBeVisible();
  await expect.element(list.getByText('count is not defined (/a.js:3:4)')).toBeVisible();
  await expect.element(list.getByText('9900 more were left out of the log.')).toBeVisible();
  const items = () => list.getByRole('listitem').elements();
  expect(items()).toHaveLength(4);

  await panel.getByRole('searchbox').fill('not defined');
  await expect.poll(() => items().length).toBe(1);
  await panel.getByRole('searchbox').fill('');
  await panel.getByRole('button', { name: 'Clear' }).click();
  await expect.element(panel.getByText('In the preview')).not.toBeInTheDocument();
});

test('a long log is shown from its end, and on into the past where that is asked for', async () => {
  const app = new FakeApp();
  app.space('w', 'space');
  const session = app.add(new FakeSession('ses_a', 'w', 'A')) as FakeSession;
  for (let turn = 0; turn < 200; turn++) {
    session.user(`p${turn}`, 'Go');
    session.step('m1');
    call(session, `c${turn}`, 'bash', `n${turn}.`, '');
    session.stepEnd('m1');
    session.turnEnd();
  }
  await openPage(app, 'ses_a');
  await page.getByRole('tab', { name: 'Log' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Log' });
  await expect.element(panel.getByText(/^By tool, of the newest \d+ calls$/)).toBeVisible();
  await panel.getByRole('searchbox').fill('"n0."');
  const older = panel.getByRole('button', { name: 'Show older calls' });
  await expect.element(panel.getByText('Nothing matches this filter.')).toBeVisible();
  while (older.query()) {
    const before = panel.getByText(/^By tool/).element().textContent;
    await older.click();
    await expect.poll(() => panel.getByText(/^By tool/).element().textContent).not.toBe(before);
  }
  await expect.element(panel.getByText('By tool', { exact: true })).toBeVisible();
  await expect.poll(() => panel.getByRole('listitem').elements().length).toBe(1);
});

test('what unfolds is large enough for a finger', async () => {
  const { app, session, panel } = await openLog();
  app.toolStarts.started('bash', 40);
  session.user('m0', 'Go');
  session.step('m1');
  call(session, 'c1', 'bash', 'npm test', 'ok');
  const byTool = panel.getByText('By tool');
  await expect.element(byTool).toBeVisible();
  expect(byTool.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(24);
});
