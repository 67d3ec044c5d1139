import { expect, test } from 'vitest';
import { ManualTimer } from '../../test/support/manual-timer.ts';
import { Patience } from './patience.ts';

function begin() {
  const timer = new ManualTimer();
  const told: string[] = [];
  const patience = new Patience(timer, { slow: () => told.push('slow'), over: () => told.push('over') });
  return { timer, told, patience };
}

test('an origin whose worker comes late is waited for while it makes progress, and the person is told', () => {
  const { timer, told, patience } = begin();
  timer.advance(2_000);
  patience.progress();
  patience.loaded();
  timer.advance(100_000);
  patience.progress();
  timer.advance(100_000);
  expect(told).toEqual(['slow']);
  timer.advance(20_000);
  expect(told).toEqual(['slow', 'over']);
});

test('an origin that answers late is told as slow, too', () => {
  const { timer, told, patience } = begin();
  timer.advance(20_000);
  expect(told).toEqual([]);
  patience.progress();
  patience.progress();
  expect(told).toEqual(['slow']);
  patience.end();
  timer.advance(1_000_000);
  expect(told).toEqual(['slow']);
});

test('an origin that says nothing is given up, soon where its frame has loaded something else', () => {
  const silent = begin();
  silent.timer.advance(29_999);
  expect(silent.told).toEqual([]);
  silent.timer.advance(1);
  expect(silent.told).toEqual(['over']);

  const elsewhere = begin();
  elsewhere.timer.advance(1_000);
  elsewhere.patience.loaded();
  elsewhere.timer.advance(5_000);
  expect(elsewhere.told).toEqual(['over']);
});
