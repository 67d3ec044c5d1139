import { expect, test } from 'vitest';
import type { Facts } from './events.ts';
import { endOf, waitOf } from './end.ts';

test('the reason of the last end is told', () => {
  const ended = (status: string, fault?: string) => ({
    ...{ kind: 'end' as const, status },
    ...(fault !== undefined && { fault }),
  });
  const entries = [ended('error', 'The first.'), ended('error', 'The provider is gone.')];
  expect(endOf({ entries }, 'error')).toBe('The turn ended: error, The provider is gone.');
  expect(endOf({ entries: [...entries, ended('aborted')] }, 'aborted')).toBe('The turn ended: aborted');
});

test('a turn that waits for an answer says for which', () => {
  const ask = { tool: 'bash', permission: 'bash', patterns: ['ls', 'pwd'] };
  const facts = (status: string, reply?: string): Facts => ({
    ...{ calls: [], said: [], entries: [] },
    asks: [{ ...ask, ...(reply !== undefined && { reply }) }],
    turns: [{ prompt: 'Go', status, steps: 1, tokens: 0, cost: 0, ms: 0 }],
  });
  expect(waitOf(facts('running'))).toBe(
    'The agent waits for the permission "bash" (ls, pwd) to call bash, and nobody has answered.',
  );
  expect(waitOf(facts('running', 'once'))).toBeUndefined();
  expect(waitOf(facts('aborted'))).toBeUndefined();
});
