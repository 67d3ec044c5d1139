import { expect, test } from 'vitest';
import { ManualTimer } from '../../test/support/manual-timer.ts';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import type { FromPage, ToPage } from '../protocol/preview.ts';
import type { HostEvents, PreviewHost } from './host.ts';
import type { OwnTabEvents } from './own-tab.ts';
import { Preview } from './preview.ts';

interface FakeTab {
  readonly container: HTMLElement;
  title: string;
  isClosed: boolean;
  readonly events: OwnTabEvents;
}

/** A preview whose page answers by this function, or not at all. */
async function shown(answer: (message: Extract<ToPage, { kind: 'do' }>) => FromPage | undefined) {
  const timer = new ManualTimer();
  const hosts: HostEvents[] = [];
  const reloads: Parameters<PreviewHost['reload']>[] = [];
  const tabs: FakeTab[] = [];
  const places: unknown[] = [];
  const { port1: page, port2: app } = new MessageChannel();
  const preview = new Preview({
    workspace: new MemoryWorkspace(),
    clock: { now: () => 0 },
    timer,
    isVisible: async () => true,
    sources: async () => "'none'",
    openTab: (events) => {
      const tab = { container: {} as HTMLElement, title: '', isClosed: false, events };
      tabs.push(tab);
      return {
        container: tab.container,
        show: ({ title }) => void (tab.title = title),
        focus: () => {},
        close: () => void (tab.isClosed = true),
      };
    },
    start: async (_target, events, place) => (
      places.push(place),
      hosts.push(events),
      {
        kind: 'origin',
        element: {} as HTMLElement,
        open: () => events.page(app),
        reload: (...given) => void reloads.push(given),
        close: () => page.close(),
      }
    ),
  });
  let heard = () => {};
  const asked = new Promise<void>((resolve) => (heard = resolve));
  page.onmessage = ({ data }: MessageEvent<ToPage>) => {
    heard();
    const said = data.kind === 'do' ? answer(data) : undefined;
    if (said) page.postMessage(said);
  };
  await preview.open({ kind: 'folder', path: '/workspace' });
  return { preview, timer, asked, hosts, page, reloads, tabs, places };
}

test('a page that does not answer fails the action in time', async () => {
  const { preview, timer, asked } = await shown(() => undefined);
  const acting = preview.act({ do: 'picture', script: '' });
  await asked;
  timer.advance(29_999);
  timer.advance(1);
  await expect(acting).rejects.toMatchObject({
    fault: { code: 'timeout', what: 'The page did not answer within 30 seconds.' },
  });
  preview.close();
});

test('a person may take any time to pick, and a stopped action ends at once', async () => {
  const { preview, timer, asked } = await shown(() => undefined);
  const over = new AbortController();
  const picking = preview.act({ do: 'pick' }, over.signal);
  await asked;
  timer.advance(1_000_000);
  over.abort(new Error('stopped'));
  await expect(picking).rejects.toThrow('stopped');
  preview.close();
});

test('an action that the page refuses says why, and one that it does in time is answered', async () => {
  const { preview, timer } = await shown(({ id, action }) =>
    action.do === 'text'
      ? { kind: 'answer', id, value: 'Hello' }
      : { kind: 'failed', id, message: 'There is no element e99 any more.' },
  );
  expect(await preview.act({ do: 'text' })).toBe('Hello');
  await expect(preview.act({ do: 'picture', script: '', ref: 'e99' })).rejects.toMatchObject({
    fault: { code: 'preview', what: 'There is no element e99 any more.' },
  });
  // Nothing waits any more.
  timer.advance(1_000_000);
  preview.close();
});

test('an action in a page that is left fails as that', async () => {
  const { preview, asked } = await shown(() => undefined);
  const acting = preview.act({ do: 'snapshot' });
  await asked;
  preview.close();
  await expect(acting).rejects.toMatchObject({ fault: { code: 'page-left' } });
  await expect(preview.act({ do: 'snapshot' })).rejects.toMatchObject({
    fault: { what: 'The preview shows nothing yet.' },
  });
});

test('a request of a page that is shown no more is refused, so that nobody waits for it', async () => {
  const { preview, hosts } = await shown(() => undefined);
  await preview.open({ kind: 'folder', path: '/workspace/other' });
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
  const request = { method: 'GET', target: '/', headers: [], hasBody: false, destination: '' };
  hosts[0]?.request({ ...request, referrer: '', cookies: false }, port2);
  expect(await answer).toMatchObject({ kind: 'failed', message: 'The preview shows something else now.' });
  port1.close();
  preview.close();
});

test('what is no HTML is shown at once, and reading it says what it is and how to read it', async () => {
  const { preview, page, hosts } = await shown(() => undefined);
  const { port1, port2 } = new MessageChannel();
  const request = { method: 'GET', target: '/none.json', headers: [], hasBody: false, destination: 'iframe' };
  const answered = new Promise((resolve) => (port1.onmessage = resolve));
  hosts[0]?.request({ ...request, referrer: '', cookies: false }, port2);
  await answered;
  page.postMessage({ kind: 'left' } satisfies FromPage);
  await preview.settled();
  expect(preview.state).toMatchObject({ phase: 'shown', path: '/none.json', title: '' });
  await expect(preview.act({ do: 'snapshot' })).rejects.toMatchObject({
    fault: {
      what: 'What the preview shows is no HTML page: /none.json was answered with status 404, text/plain; charset=utf-8.',
      next: 'Read it with curl in bash, or open a page.',
    },
  });
  port1.close();
  preview.close();
});

test('a page is loaded again where it is now, with the cookies that it has set', async () => {
  const { preview, page, reloads } = await shown(() => undefined);
  const at: FromPage = { kind: 'at', target: '/in', title: 'In', loaded: true };
  const moved = new Promise<void>((resolve) =>
    preview.onChange(() => preview.state.path === '/in' && resolve()),
  );
  for (const message of [{ kind: 'cookie', text: 'user=ada' } as const, at]) page.postMessage(message);
  await moved;
  preview.reload();
  expect(reloads).toEqual([['/in', { cookies: 'user=ada' }]]);
  preview.close();
});

test('a page moves to a tab of its own, begins anew when that is reloaded, and comes back when it is closed', async () => {
  const { preview, tabs, places } = await shown(() => undefined);
  expect(preview.openTab()).toBe(true);
  expect(preview.state).toMatchObject({ isInOwnTab: true, path: '/', phase: 'starting', host: null });
  tabs[0]?.events.ready();
  tabs[0]?.events.ready();
  expect(preview.state.isInOwnTab).toBe(true);
  tabs[0]?.events.closed();
  expect(preview.state.isInOwnTab).toBe(false);
  const { container } = tabs[0] as FakeTab;
  expect(places).toEqual([undefined, container, container, undefined]);
  // The person may have gone elsewhere in it.
  expect(tabs[0]?.isClosed).toBe(false);
  preview.close();
});

test('a tab is closed where the page is shown in the app again, in another tab, or nowhere any more', async () => {
  const { preview, tabs } = await shown(() => undefined);
  preview.openTab();
  preview.closeTab();
  preview.openTab();
  preview.openTab();
  expect(tabs.map(({ isClosed }) => isClosed)).toEqual([true, true, false]);
  await preview.open({ kind: 'folder', path: '/workspace/other' });
  expect(preview.state.isInOwnTab).toBe(true);
  preview.close();
  expect(tabs.map(({ isClosed }) => isClosed)).toEqual([true, true, true]);
});
