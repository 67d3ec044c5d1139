import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CompiledModules } from './compiled-modules.ts';

const EMPTY = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a few modules are held, each once', () => {
  const modules = new CompiledModules();
  for (const name of ['a', 'a', 'b']) modules.hold(name, EMPTY);
  expect(modules.size).toBe(2);
  for (const name of ['c', 'd', 'e', 'f']) modules.hold(name, EMPTY);
  expect(modules.size).toBe(4);
});

test('modules that are not used for ten minutes are let go', () => {
  const modules = new CompiledModules();
  modules.hold('a', EMPTY);
  vi.advanceTimersByTime(9 * 60_000);
  modules.hold('b', EMPTY);
  vi.advanceTimersByTime(9 * 60_000);
  expect(modules.size).toBe(2);
  vi.advanceTimersByTime(60_000);
  expect(modules.size).toBe(0);
});
