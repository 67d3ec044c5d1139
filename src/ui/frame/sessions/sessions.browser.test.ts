import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';
// The page fetches it once it is shown. Here it is there from the start.
import '../Later.svelte';
import { FaultError } from '../../../base/fault.ts';

let app: FakeApp;
const sessions = page.getByRole('navigation', { name: 'Sessions' });
const link = (name: RegExp) => sessions.getByRole('link', { name });

beforeEach(() => {
  localStorage.clear();
  app = new FakeApp();
  app.space('w', 'csv-totals');
});

test('of 2,000 sessions only those on the screen are drawn, and the keys reach all of them', async () => {
  const now = Date.now();
  app.space('w2', 'other');
  for (let n = 0; n < 2_000; n++)
    app.all.push(new FakeSession(`ses_${n}`, n % 2 ? 'w' : 'w2', `Session ${n}`, now - n * 1_000));
  app.changes.emit();
  await openPage(app, 'ses_1');
  await expect.element(link(/^Session 1 /), { timeout: 30_000 }).toBeVisible();
  expect(document.querySelectorAll('nav li').length).toBeLessThan(100);

  const first = sessions.getByRole('link').first();
  (first.element() as HTMLElement).focus();
  await userEvent.keyboard('{End}');
  await expect.element(link(/^Session 1998 /)).toHaveFocus();
  expect(document.querySelectorAll('nav li').length).toBeLessThan(100);
});

test('a turn that failed, and one that ended out of sight, are told by words, and are seen when shown', async () => {
  app.add(new FakeSession('ses_a', 'w', 'Shown'));
  const failing = app.add(new FakeSession('ses_b', 'w', 'Failing'));
  const ending = app.add(new FakeSession('ses_c', 'w', 'Ending'));
  app.sessions.live = () => app.all;
  await openPage(app, 'ses_a');
  for (const session of [failing, ending]) session.user('m0', 'go');
  app.changes.emit();
  await expect.element(link(/Failing Working/)).toBeVisible();
  // The part of the page that follows the sessions is there once it tells of one that waits.
  failing.step('m1');
  failing.call('m1', 'c1', 'bash', { command: 'ls' });
  failing.ask('m1', 'c1', 'r1');
  await expect.element(page.getByText('“Failing” waits for your answer.')).toBeVisible();
  failing.answer('r1', { reply: 'once' }, 'person');
  failing.turnEnd('error');
  ending.turnEnd('idle');
  await expect.element(link(/Failing Failed/)).toBeVisible();
  await expect.element(link(/Ending New/)).toBeVisible();
  await link(/Ending New/).click();
  await expect.element(link(/Ending New/)).not.toBeInTheDocument();
  // A failure stays until the next turn.
  await link(/Failing/).click();
  await expect.element(link(/Failing Failed/)).toBeVisible();
});

test('an ask of a session that is not shown is told once, and goes with its answer', async () => {
  app.add(new FakeSession('ses_a', 'w', 'Shown'));
  const asking = app.add(new FakeSession('ses_b', 'w', 'Asking'));
  app.sessions.live = () => app.all;
  await openPage(app, 'ses_a');
  asking.user('m0', 'go');
  asking.step('m1');
  asking.call('m1', 'c1', 'bash', { command: 'ls' });
  app.changes.emit();
  asking.ask('m1', 'c1', 'r1');
  const notice = page.getByText('“Asking” waits for your answer.');
  await expect.element(notice).toBeVisible();
  asking.answer('r1', { reply: 'once' }, 'person');
  await expect.element(notice).not.toBeInTheDocument();
  asking.ask('m1', 'c1', 'r2');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect.element(page.getByRole('heading', { name: 'Asking', level: 1 })).toBeVisible();
  await expect.element(notice).not.toBeInTheDocument();
});

test('while sessions run side by side, none of them changes its place', async () => {
  const now = Date.now();
  const [one, two] = ['One', 'Two'].map((title, n) =>
    app.add(new FakeSession(`ses_${title}`, 'w', title, now - n * 60_000)),
  ) as [FakeSession, FakeSession];
  app.sessions.live = () => app.all;
  const stores = await openPage(app);
  const order = () => stores.list.top.map(({ state }) => state.title);
  await expect.poll(order).toEqual(['One', 'Two']);
  two.wait(120_000);
  two.user('m0', 'go');
  app.changes.emit();
  await expect.poll(order).toEqual(['Two', 'One']);
  one.wait(90_000);
  await one.rename('One again');
  one.wait(90_000);
  await one.keep(true);
  app.changes.emit();
  await expect.poll(order).toEqual(['Two', 'One again']);
});

test('the ring around what has the focus in the list is not cut off', async () => {
  app.add(new FakeSession('ses_a', 'w', 'First'));
  await openPage(app, 'ses_a');
  await expect.element(link(/^First/)).toBeVisible();
  (link(/^First/).element() as HTMLElement).focus();
  await userEvent.keyboard('{Home}');
  const head = sessions.getByRole('button', { name: /^csv-totals/ });
  await expect.element(head).toHaveFocus();
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(head.element());
  expect(outlineStyle).toBe('solid');
  const reach = parseFloat(outlineWidth) + parseFloat(outlineOffset);
  const list = head.element().closest('.lists')?.getBoundingClientRect();
  const { left, top } = head.element().getBoundingClientRect();
  expect(left - reach).toBeGreaterThanOrEqual(list?.left ?? Infinity);
  expect(top - reach).toBeGreaterThanOrEqual(list?.top ?? Infinity);
});

test('the focus goes with a session that is pinned, and to the next one when one leaves the list', async () => {
  const now = Date.now();
  for (const [at, title] of ['One', 'Two', 'Three'].entries())
    app.add(new FakeSession(`ses_${title}`, 'w', title, now - at * 60_000));
  await openPage(app, 'ses_Three');
  const choose = async (session: string, name: string) => {
    await expect.element(link(new RegExp(`^${session} `))).toBeVisible();
    (link(new RegExp(`^${session} `)).element() as HTMLElement).focus();
    await userEvent.keyboard('{Shift>}{F10}{/Shift}');
    const item = page.getByRole('menuitem', { name, exact: true });
    await expect.element(item).toBeVisible();
    (item.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
  };
  await choose('Two', 'Pin');
  await expect.element(link(/^Two Pinned/)).toHaveFocus();
  await choose('Two', 'Unpin');
  await expect.element(link(/^Two \d|^Two now|^Two just/)).toHaveFocus();
  await choose('One', 'Archive');
  await expect.element(link(/^One/)).not.toBeInTheDocument();
  await expect.element(link(/^Two/)).toHaveFocus();
  await choose('Two', 'Delete');
  await expect.element(link(/^Two/)).not.toBeInTheDocument();
  await expect.element(link(/^Three/)).toHaveFocus();
});

test('a workspace that another tab has says so in one row', async () => {
  await page.viewport(1440, 900);
  app.space('w3', 'a workspace with a name that takes the whole width of the list');
  app.add(new FakeSession('ses_a', 'w3', 'Shown'));
  const elsewhere = new FaultError({ code: 'workspace-elsewhere', what: 'Another tab has it.' });
  app.workspaces.open = () => Promise.reject(elsewhere);
  await openPage(app, 'ses_a');
  const said = sessions.getByText('In another tab');
  await expect.element(said).toBeVisible();
  const [words, head] = [said.element(), said.element().closest('header')].map((each) =>
    each?.getBoundingClientRect(),
  );
  expect(words?.height).toBeLessThan(24);
  expect(words?.right).toBeLessThanOrEqual(head?.right ?? 0);
});
