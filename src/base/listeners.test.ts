import { expect, test } from 'vitest';
import { Listeners } from './listeners.ts';

test('a listener is called until it unsubscribes', () => {
  const heard: number[] = [];
  const listeners = new Listeners<number>();
  const unlisten = listeners.add((value) => heard.push(value));
  listeners.emit(1);
  unlisten();
  unlisten();
  listeners.emit(2);
  expect(heard).toEqual([1]);
});
