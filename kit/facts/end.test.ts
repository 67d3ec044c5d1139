import { expect, test } from 'vitest';
import { endOf } from './end.ts';

test('the reason of the last end is told', () => {
  const ended = (status: string, fault?: string) => ({
    ...{ kind: 'end' as const, status },
    ...(fault !== undefined && { fault }),
  });
  const entries = [ended('error', 'The first.'), ended('error', 'The provider is gone.')];
  expect(endOf({ entries }, 'error')).toBe('The turn ended: error, The provider is gone.');
  expect(endOf({ entries: [...entries, ended('aborted')] }, 'aborted')).toBe('The turn ended: aborted');
});
