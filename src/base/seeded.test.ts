import { expect, test } from 'vitest';
import { seededClock, seededIds } from './seeded.ts';

test('a made-up clock goes on only when a log asks', () => {
  const clock = seededClock(1000);
  expect([clock.now(), clock.now(), clock.now('log'), clock.now(), clock.now('log')]).toEqual([
    1000, 1000, 1010, 1010, 1020,
  ]);
});

test('the files of each computer begin later, whatever a log has asked for', () => {
  const clock = seededClock(1000);
  const other = seededClock(1000);
  const times = [clock.fileTime?.(), clock.now('log'), clock.fileTime?.()];
  expect(times).toEqual([1000, 1010, 61_000]);
  other.now('log');
  expect([other.fileTime?.(), other.fileTime?.()]).toEqual([1000, 61_000]);
});

test('ids follow from the seed, whatever is asked for in between, and none comes twice', () => {
  const one = seededIds('7');
  const two = seededIds('7');
  const ids = Array.from({ length: 2000 }, () => one.next('msg'));
  expect(new Set(ids).size).toBe(2000);
  expect(ids[0]).toMatch(/^msg_[0-9a-z]{16}$/);
  two.next('ses');
  expect(Array.from({ length: 2000 }, () => two.next('msg'))).toEqual(ids);
  expect(seededIds('8').next('msg')).not.toBe(ids[0]);
});
