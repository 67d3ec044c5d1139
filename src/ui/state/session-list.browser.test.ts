import { beforeEach, expect, test } from 'vitest';
import { FakeApp } from '../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../test/support/stories/fake-session.ts';
import { SessionList } from './session-list.svelte.ts';
import { Toasts } from './toasts.svelte.ts';

let app: FakeApp;
let toasts: Toasts;
let list: SessionList;
/** The calls to the page and to the app, in their order. */
let order: string[];

beforeEach(async () => {
  app = new FakeApp();
  app.space('w', 'space');
  app.add(new FakeSession('ses_a', 'w', 'A'));
  app.add(
    new FakeSession('ses_b', 'w', 'B', Date.now(), { sessionID: 'ses_a', messageID: 'm', callID: 'c' }),
  );
  toasts = new Toasts();
  order = [];
  const { sessions, workspaces } = app;
  list = new SessionList({
    sessions: { ...sessions, delete: async (id) => (order.push(`delete ${id}`), sessions.delete(id)) },
    workspaces,
    toasts,
    shown: {
      listed: async () => void order.push('listed'),
      leaveSession: (id) => order.push(`leave ${id}`),
      leaveWorkspace: (id) => order.push(`leave ${id}`),
    },
  });
  await list.refresh();
});

const shownIDs = () => list.top.map(({ id }) => id);

test('sessions stand under their workspace, and those of sub-agents under their parent', () => {
  expect(shownIDs()).toEqual(['ses_a']);
  expect(list.childrenOf('ses_a').map(({ id }) => id)).toEqual(['ses_b']);
  expect(list.workspaceName('w')).toBe('space');
  expect(order).toEqual(['listed']);
});

test('a session is left before it is deleted, and can be brought back', async () => {
  order.length = 0;
  const [record] = list.top;
  await list.delete(record!);
  expect(order.slice(0, 2)).toEqual(['leave ses_a', 'delete ses_a']);
  // Its sub-agent's session has no parent in the list any longer.
  await expect.poll(shownIDs).toEqual(['ses_b']);
  toasts.all[0]?.undo?.();
  await expect.poll(shownIDs).toEqual(['ses_a']);
});

test('a workspace that another tab has removed is left', async () => {
  app.space('x', 'other');
  await list.refresh();
  await expect.poll(() => list.workspaces.length).toBe(2);
  order.length = 0;
  app.spaces.splice(0, 1);
  await list.refresh();
  expect(order).toEqual(['leave w', 'listed']);
});

test('a failure is shown, and the page learns of the reading all the same', async () => {
  app.sessions.list = () => Promise.reject(new Error('Not readable.'));
  const { sessions, workspaces } = app;
  let listed = 0;
  const failing = new SessionList({
    ...{ sessions, workspaces, toasts },
    shown: { listed: async () => void listed++, leaveSession() {}, leaveWorkspace() {} },
  });
  await failing.refresh();
  expect(failing.loaded).toBe(false);
  expect(listed).toBe(1);
  expect(toasts.all.map(({ text, failed }) => ({ text, failed }))).toEqual([
    { text: 'Not readable.', failed: true },
  ]);
});
