import { expect, test } from 'vitest';
import { CallFrame, FRAME_BYTES } from './call-frame.ts';
import { CallWatch, Caller, WAIT_MS } from './shared-calls.ts';

/** Both ends in one thread: the worker does its part while the kernel answers. */
function ends() {
  const shared = new SharedArrayBuffer(64 + FRAME_BYTES);
  const words = new Int32Array(shared, 0, 1);
  const frame = new CallFrame(shared, 64);
  const caller = new Caller(words, 0, frame);
  caller.asks();
  const clock = { ms: 0 };
  return { caller, clock, words, watch: new CallWatch(words, 0, frame, () => clock.ms) };
}

const look = (path: string) => ({ op: 'look', path }) as const;

test('calls that follow at once come without a message, each once and in their order', () => {
  const { caller, watch } = ends();
  const heard: unknown[] = [];
  watch.answering(
    // The next call is there before the kernel continues.
    () => caller.call(look('/0')),
    (call) => {
      heard.push(call);
      if (heard.length < 4) expect(caller.call(look(`/${heard.length}`))).toBe(true);
      return true;
    },
  );
  expect(heard).toEqual([look('/0'), look('/1'), look('/2'), look('/3')]);
  expect(caller.call(look('/late'))).toBe(false);
});

test('a call does not overtake a message', () => {
  const { caller, watch } = ends();
  const heard: unknown[] = [];
  const took = (call: unknown) => heard.push(call) > 0;
  watch.answering(() => {
    caller.tells();
    expect(caller.call(look('/1'))).toBe(false);
    return true;
  }, took);
  // The call does not go through even if the kernel waits again, because it has not read every message.
  watch.answering(() => !caller.call(look('/1')), took);
  expect(heard).toEqual([]);
  caller.asks();
  watch.answering(() => caller.call(look('/2')), took);
  expect(heard).toEqual([look('/2')]);
});

test('a call without an answer is the last', () => {
  const { caller, watch } = ends();
  watch.answering(
    () => false,
    () => expect.fail('nobody asked'),
  );
  expect(caller.call(look('/'))).toBe(false);
});

test('it stays for a while only: a program that goes on asking sends a message again', () => {
  const { caller, clock, watch } = ends();
  let asked = 0;
  const ask = () => {
    clock.ms += 0.08;
    if (caller.call(look('/'))) asked++;
    return true;
  };
  watch.answering(ask, ask);
  expect(asked).toBe(13);
  expect(caller.call(look('/'))).toBe(false);
});

test('what it waits in vain is a small share of the time', () => {
  const { caller, clock, watch, words } = ends();
  const isWaiting = (follow: () => void = () => {}) => {
    let isSo = false;
    watch.answering(
      () => {
        isSo = words[0] !== 0;
        follow();
        return true;
      },
      () => true,
    );
    return isSo;
  };
  const inVain = () => Array.from({ length: 100 }, () => isWaiting()).filter(Boolean).length;
  expect(inVain()).toBe(11);
  expect(isWaiting()).toBe(false);
  clock.ms += 10 * WAIT_MS;
  expect(inVain()).toBe(1);
  // A long pause does not raise the budget above its start, and a program that keeps asking uses none of it.
  clock.ms += 1_000_000;
  expect(isWaiting(() => expect(caller.call(look('/'))).toBe(true))).toBe(true);
  expect(inVain()).toBe(10);
});
