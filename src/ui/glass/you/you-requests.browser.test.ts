import { expect, test } from 'vitest';
import type { YouRequest } from '../../../models/you/queue.ts';
import { YouRequests } from './you-requests.svelte.ts';

test('the request of a sub-agent belongs to its parents too', () => {
  const asked = (id: string, sessionID: string): YouRequest => ({
    ...{ id, sessionID, tools: [], messages: [] },
    raw: () => '',
  });
  const waiting = [asked('r1', 'child'), asked('r2', 'other')];
  const you = { waiting: () => waiting, onChange: () => () => undefined };
  let shown = 'parent';
  const requests = new YouRequests(
    you,
    () => shown,
    (id) => (id === 'child' ? ['parent'] : []),
  );
  expect(requests.current?.id).toBe('r1');
  expect(requests.of('child')?.id).toBe('r1');
  expect(requests.of('other')?.id).toBe('r2');
  shown = 'third';
  expect(requests.current).toBeNull();
});
