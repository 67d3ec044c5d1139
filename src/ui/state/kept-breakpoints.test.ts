import { expect, test } from 'vitest';
import { keepBreakpoints, keptBreakpoints } from './kept-breakpoints.ts';
import type { Preferences } from './preferences.ts';

function held(first?: string): Preferences {
  let value = first ?? null;
  return { get: () => value, set: (_key, next) => void (value = next) };
}

test('breakpoints are kept for each session whose bar is open', () => {
  const preferences = held();
  expect(keptBreakpoints(preferences, 'a')).toBeUndefined();
  keepBreakpoints(preferences, 'a', [{ point: 'call', tool: 'rea*' }]);
  keepBreakpoints(preferences, 'b', []);
  expect(keptBreakpoints(preferences, 'a')).toEqual([{ point: 'call', tool: 'rea*' }]);
  expect(keptBreakpoints(preferences, 'b')).toEqual([]);
  keepBreakpoints(preferences, 'a', undefined);
  expect(keptBreakpoints(preferences, 'a')).toBeUndefined();
  expect(keptBreakpoints(preferences, 'b')).toEqual([]);
});

test('only the newest sessions are kept, and what is none is not read', () => {
  const preferences = held();
  for (let n = 0; n < 25; n++) keepBreakpoints(preferences, `s${n}`, []);
  expect(keptBreakpoints(preferences, 's4')).toBeUndefined();
  expect(keptBreakpoints(preferences, 's5')).toEqual([]);
  for (const text of ['{', '[]', '{"a":[{"pattern":"("}]}', '{"a":1}', 'null'])
    expect(keptBreakpoints(held(text), 'a')).toBeUndefined();
  expect(keptBreakpoints(preferences, 'constructor')).toBeUndefined();
});
