import { afterEach, expect, test } from 'vitest';
import { EventLoop } from './loop.ts';
import { makeTimers } from './timers.ts';

const loops: EventLoop[] = [];
afterEach(() => {
  for (const loop of loops.splice(0)) loop.stop();
});

/** Timers over a loop of their own. `idle` resolves once nothing keeps the process alive. */
function process() {
  let ended = () => {};
  const idle = new Promise<void>((resolve) => (ended = resolve));
  const loop = new EventLoop({ idle: ended });
  loops.push(loop);
  const timers = makeTimers(loop);
  const steps: string[] = [];
  const step = (name: string) => () => void steps.push(name);
  return { loop, timers, ...timers.global, steps, step, idle };
}

test('ticks come first, then timers that are due, then immediates', async () => {
  const { loop, setTimeout, setImmediate, steps, step, idle } = process();
  loop.addOnce(() => {
    setImmediate(() => {
      steps.push('immediate');
      setImmediate(step('next immediate'));
      setTimeout(step('timer'), 0);
      loop.nextTick(step('tick'), []);
      const until = loop.now() + 3;
      while (loop.now() < until);
    });
  });
  await idle;
  expect(steps).toEqual(['immediate', 'tick', 'timer', 'next immediate']);
});

test('timers run by the time at which they are due, and in order where that is the same', async () => {
  const { setTimeout, steps, step, idle } = process();
  setTimeout(step('late'), 12);
  setTimeout(step('first'), 1);
  setTimeout(step('second'), 1);
  setTimeout(step('between'), 5);
  await idle;
  expect(steps).toEqual(['first', 'second', 'between', 'late']);
});

test('each of two timers of one time is an event of its own: promises settle between them', async () => {
  const { setTimeout, steps, step, idle } = process();
  setTimeout(() => void Promise.resolve().then(step('promise')), 1);
  setTimeout(step('second'), 1);
  await idle;
  expect(steps).toEqual(['promise', 'second']);
});

test('an interval repeats until it is cleared, and a cleared timer never runs', async () => {
  const { setInterval, setTimeout, clearInterval, clearTimeout, steps, step, idle } = process();
  const interval = setInterval(() => {
    if (steps.push('interval') === 3) clearInterval(interval);
  }, 1);
  clearTimeout(setTimeout(step('cleared'), 1));
  // The number of a timer stands for it.
  clearTimeout(Number(setTimeout(step('cleared by number'), 1)));
  clearTimeout(undefined);
  clearTimeout(12345);
  await idle;
  expect(steps).toEqual(['interval', 'interval', 'interval']);
});

test('only timers with a reference keep the process alive', async () => {
  const { timers, setTimeout, setImmediate, steps, step, idle } = process();
  const far = setTimeout(step('far'), 60_000);
  setTimeout(step('near'), 1);
  setImmediate(step('immediate'));
  expect(timers.kept()).toEqual(['Timeout', 'Timeout', 'Immediate']);
  expect(far.unref().hasRef()).toBe(false);
  expect(timers.kept()).toEqual(['Timeout', 'Immediate']);
  await idle;
  expect(steps.toSorted()).toEqual(['immediate', 'near']);
});

test('a timer that is refreshed begins again', async () => {
  const { setTimeout, steps, step, idle } = process();
  const timer = setTimeout(step('refreshed'), 8);
  setTimeout(() => timer.refresh(), 5);
  setTimeout(step('before'), 10);
  await idle;
  expect(steps).toEqual(['before', 'refreshed']);
});

test('an interval goes on after its callback threw', () => {
  const { loop, setInterval, clearInterval } = process();
  let runs = 0;
  const interval = setInterval(() => {
    runs++;
    throw new Error('thrown');
  }, 1);
  for (const expected of [1, 2]) {
    const until = (loop.timers.nextDue() ?? 0) + 1;
    while (loop.now() < until);
    expect(() => loop.timers.run()).toThrow('thrown');
    expect(runs).toBe(expected);
  }
  clearInterval(interval);
  expect(loop.timers.nextDue()).toBeUndefined();
});

test('a callback that is no function is refused', () => {
  const { setTimeout, setImmediate } = process();
  for (const set of [setTimeout, setImmediate])
    expect(() => set('text')).toThrow('The "callback" argument must be of type function');
});
