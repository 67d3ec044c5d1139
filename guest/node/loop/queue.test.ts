import { expect, test } from 'vitest';
import { Queue } from './queue.ts';

test('what came first goes first, however many wait', () => {
  const queue = new Queue<number>();
  const taken: (number | undefined)[] = [];
  for (let each = 0; each < 10_000; each++) {
    queue.push(each);
    if (each % 3 === 0) taken.push(queue.shift());
  }
  while (queue.length > 0) taken.push(queue.shift());
  expect(taken).toEqual(Array.from({ length: 10_000 }, (_, each) => each));
  expect(queue.shift()).toBeUndefined();
});
