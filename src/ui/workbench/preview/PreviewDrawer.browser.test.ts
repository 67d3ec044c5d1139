import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { flushSync } from 'svelte';
import { showComponent } from '../../../../test/support/stories/show-component.ts';
import { PreviewLog } from '../../../preview/log.ts';
import { Draft } from '../../state/draft.svelte.ts';
import { tabDrafts } from '../../state/drafts.ts';
import { Toasts } from '../../state/toasts.svelte.ts';
import PreviewDrawer from './PreviewDrawer.svelte';

const entries = page.getByRole('group', { name: 'Messages of the page' });

/** Shows the drawer of a page that has said this many lines, in a box of the height of a workbench. */
function openDrawer(lines: number): { say: (count: number) => void; tab: HTMLElement } {
  const log = new PreviewLog();
  let said = 0;
  const say = (count: number) => {
    for (let left = count; left > 0; left--)
      log.add({ kind: 'console', level: 'log', text: `line ${++said}`, source: '' });
    flushSync();
  };
  say(lines);
  const stores = { draft: new Draft(tabDrafts()), toasts: new Toasts() };
  showComponent(PreviewDrawer, { log, path: '/', nameOf: (path: string) => path }, stores);
  const tab = page.getByRole('region', { name: 'Console' }).element().parentElement!;
  tab.style.cssText = 'display: flex; flex-direction: column; height: 300px';
  return { say, tab };
}

const line = (number: number) => entries.getByText(`[log] line ${number}`, { exact: true });

/** What is scrolled out of the list's own box counts as hidden, too. */
async function expectInView(number: number): Promise<void> {
  await expect.poll(() => isInView(number)).toBe(true);
}

function isInView(number: number): boolean {
  const box = entries.element().getBoundingClientRect();
  const { top, bottom } = line(number).element().getBoundingClientRect();
  return box.height > 0 && top >= box.top - 1 && bottom <= box.bottom + 1;
}

test('the console opens at the newest line, and follows, also past the number of lines that it shows', async () => {
  const { say } = openDrawer(100);
  await expectInView(100);
  say(20);
  await expectInView(120);
  say(150);
  await expectInView(270);
  say(1);
  await expectInView(271);
});

test('lines that came while the tab was not shown are followed, too', async () => {
  const { say, tab } = openDrawer(30);
  await expectInView(30);
  tab.style.display = 'none';
  say(60);
  tab.style.display = 'flex';
  await expectInView(90);
});

test('whoever has scrolled up stays there until the end is reached again', async () => {
  const { say } = openDrawer(100);
  await expectInView(100);
  const box = entries.element();
  box.focus();
  await userEvent.keyboard('{Home}');
  await expectInView(1);
  say(20);
  expect(isInView(1)).toBe(true);
  await userEvent.keyboard('{End}');
  await expectInView(120);
  say(20);
  await expectInView(140);
});
