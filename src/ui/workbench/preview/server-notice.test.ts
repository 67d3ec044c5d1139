import { expect, test } from 'vitest';
import { Listeners } from '../../../base/listeners.ts';
import { noticeServers } from './server-notice.ts';

function begin() {
  const changed = new Listeners<void>();
  let ports: readonly number[] = [];
  const open = new Map<number, string>();
  let next = 0;
  const notices = noticeServers(
    { list: () => ports.map((port) => ({ port })), onChange: (listener) => changed.add(listener) },
    {
      layout: { show: () => {} },
      toasts: {
        show: (text) => (open.set(next, text), next++),
        dismiss: (id) => void open.delete(id),
      },
      isShown: () => false,
    },
  );
  const listen = (...now: readonly number[]) => ((ports = now), changed.emit());
  return { open, notices, listen };
}

test('the notice of a server goes when the person sees the preview', () => {
  const { open, notices, listen } = begin();
  listen(3000);
  listen(3000, 4000);
  expect([...open.values()]).toEqual(['A server listens on port 3000.', 'A server listens on port 4000.']);
  notices.seen();
  expect(open.size).toBe(0);
});

test('the notice of a server goes when the server ends', () => {
  const { open, listen } = begin();
  listen(3000);
  listen();
  expect(open.size).toBe(0);
});
