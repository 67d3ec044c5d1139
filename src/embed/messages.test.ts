import { expect, test } from 'vitest';
import { commandIn, reportIn } from './messages.ts';

const from = (message: object) => ({ vitrine: 'player', ...message });

test('a frame does what it is asked, and only that', () => {
  expect(commandIn(from({ type: 'play', more: 1 }))).toEqual({ type: 'play' });
  expect(commandIn(from({ type: 'seek', position: 1200 }))).toEqual({ type: 'seek', position: 1200 });
  expect(commandIn(from({ type: 'theme', theme: 'dark' }))).toEqual({ type: 'theme', theme: 'dark' });
  for (const other of [
    null,
    'play',
    { type: 'play' },
    { vitrine: 'other', type: 'play' },
    from({ type: 'eval', code: '1' }),
    from({ type: 'seek', position: '12' }),
    from({ type: 'seek', position: Infinity }),
    from({ type: 'theme', theme: 'pink' }),
  ])
    expect(commandIn(other)).toBeNull();
});

test('the element makes events of what its frame says, and of nothing else', () => {
  expect(reportIn(from({ type: 'position', position: 5, duration: 9 }))).toEqual({
    type: 'position',
    detail: { position: 5, duration: 9 },
  });
  for (const other of [undefined, [], { type: 'ready' }, from({ type: 'click' }), from({})])
    expect(reportIn(other)).toBeNull();
});
