import { expect, test } from 'vitest';
import type { Call, Facts, TurnFacts } from '../facts/events.ts';
import { hasFinishedWithin, type Budget } from './budget.ts';
import {
  hasAsked,
  hasBeenDenied,
  hasCalled,
  hasSaid,
  hasTrajectory,
  toolOf,
  type ExpectedCall,
  type TrajectoryMode,
} from './calls.ts';
import { hasChanged, hasFile } from './files.ts';
import { matches } from './matches.ts';
import { hasPlayedEveryStep } from './script.ts';

function call(tool: string, input: unknown = {}, outcome: Call['outcome'] = 'ok'): Call {
  const ran = outcome !== 'denied' && outcome !== 'invalid';
  return { id: 'c', messageID: 'm', tool, input, outcome, ran, output: ran ? '' : 'Why not.' };
}

const facts = (given: Partial<Facts>): Facts => ({
  calls: [],
  asks: [],
  said: [],
  turns: [],
  entries: [],
  ...given,
});

test('an object may have more than is expected, a list may not', () => {
  expect(matches({ a: 1, b: { c: 'x', d: 2 } }, { b: { c: /x/ } })).toBe(true);
  expect(matches({ a: 1 }, { a: 2 })).toBe(false);
  expect(matches(undefined, { a: 1 })).toBe(false);
  expect(matches([1, 2], [1])).toBe(false);
  expect(matches([1, { a: 1 }], [1, {}])).toBe(true);
  expect(matches({ a: 'text' }, { a: expect.stringContaining('ex') })).toBe(true);
  expect(matches({ a: 1 }, { a: expect.any(String) })).toBe(false);
});

test('toHaveCalled says what was called instead', () => {
  const given = facts({ calls: [call('read', { filePath: 'b' })] });
  expect(hasCalled(given, 'read', { filePath: 'b' }).pass).toBe(true);
  expect(hasCalled(given, 'read', { filePath: 'a' })).toEqual({
    pass: false,
    message:
      'Expected the agent to call read with {"filePath":"a"}.\nWhat happened:\n  read {"filePath":"b"} → ok',
  });
  expect(hasCalled(facts({}), 'read').message).toContain('nothing of the kind');
});

test('toHaveCalled leaves out calls that did not run, and says why they did not', () => {
  const given = facts({ calls: [call('bash', {}, 'denied'), call('raed', {}, 'invalid')] });
  for (const tool of ['bash', 'raed']) expect(hasCalled(given, tool).pass).toBe(false);
  expect(hasCalled(given, 'raed').message).toContain('raed {} → invalid, so it did not run: "Why not."');
  expect(hasCalled(given, 'raed', {}, { outcome: 'invalid' }).pass).toBe(true);
  expect(hasCalled(given, 'raed', {}, { outcome: 'failed' })).toMatchObject({
    pass: false,
    message: expect.stringContaining('to call raed with {}, which ended as failed'),
  });
});

test('toHaveDenied is about calls that were denied only', () => {
  const given = facts({ calls: [call('bash', {}, 'denied'), call('read')] });
  expect(hasBeenDenied(given, 'bash').pass).toBe(true);
  expect(hasBeenDenied(given, 'read').pass).toBe(false);
});

test('toHaveDenied counts a call of a tool that a rule keeps from the agent, and no other invalid one', () => {
  const given = facts({ calls: [call('bash', { command: 'ls' }, 'invalid'), call('raed', {}, 'invalid')] });
  expect(hasBeenDenied(given, 'bash', { command: 'ls' }, ['bash']).pass).toBe(true);
  expect(hasBeenDenied(given, 'bash', { command: 'rm' }, ['bash']).pass).toBe(false);
  expect(hasBeenDenied(given, 'bash').pass).toBe(false);
  expect(hasBeenDenied(given, 'raed', {}, ['bash']).pass).toBe(false);
});

test('toHavePlayedEveryStep names what is left over', () => {
  expect(hasPlayedEveryStep([]).pass).toBe(true);
  const left = [{ turn: 1, step: 2, answer: { text: 'Done.' } }];
  expect(hasPlayedEveryStep(left)).toMatchObject({
    pass: false,
    message: expect.stringContaining('  turn 1, step 2: {"text":"Done."}'),
  });
});

test('toHaveAsked looks at the permission and its patterns', () => {
  const given = facts({ asks: [{ tool: 'bash', permission: 'bash', patterns: ['rm a', 'ls'] }] });
  expect(hasAsked(given, 'bash', /^rm /).pass).toBe(true);
  expect(hasAsked(given, 'bash', 'ls').pass).toBe(true);
  expect(hasAsked(given, 'bash', 'cat').pass).toBe(false);
  expect(hasAsked(given, 'edit').message).toContain('bash "rm a", "ls" → no answer');
  const written = facts({ asks: [{ tool: 'write', permission: 'edit', patterns: ['a'] }] });
  for (const name of ['edit', 'write']) expect(hasAsked(written, name, 'a').pass).toBe(true);
  expect(hasAsked(written, 'multiedit').pass).toBe(false);
  const served = facts({ asks: [{ tool: 'a_close', permission: 'a/close', patterns: ['*'] }] });
  for (const name of ['a/close', 'a_close']) expect(hasAsked(served, name).pass).toBe(true);
});

test('toHaveSaid takes a part of a text or a regular expression', () => {
  const given = facts({ said: ['All is done.'] });
  expect(hasSaid(given, 'done').pass).toBe(true);
  expect(hasSaid(given, /^done/).pass).toBe(false);
});

test('a regular expression with the flag g judges each text from its beginning', () => {
  const given = facts({ said: ['a secret'], calls: [call('bash', { command: 'a secret' })] });
  const pattern = /secret/g;
  for (let n = 0; n < 3; n++) {
    expect(hasSaid(given, pattern).pass).toBe(true);
    expect(hasCalled(given, 'bash', { command: pattern }).pass).toBe(true);
    expect(hasFile('a', 'a secret', pattern).pass).toBe(true);
  }
});

test('what no matcher can mean is refused', () => {
  for (const nothing of ['', undefined, 5])
    expect(() => hasSaid(facts({}), nothing as string)).toThrow('a text or a regular expression');
  expect(() => hasCalled(facts({}), 'bash', undefined, { outcome: 'success' as 'ok' })).toThrow(
    'There is no outcome "success". It can be ok, failed, denied, cancelled, interrupted, invalid, running.',
  );
  expect(() => hasChanged([], JSON.parse('"a.txt"'))).toThrow('a list of paths');
});

const TRAJECTORIES: readonly [readonly string[], readonly string[], Record<TrajectoryMode, boolean>][] = [
  [['a', 'b'], ['a', 'b'], { strict: true, unordered: true, subset: true, superset: true }],
  [['b', 'a'], ['a', 'b'], { strict: false, unordered: true, subset: true, superset: true }],
  [['a'], ['a', 'b'], { strict: false, unordered: false, subset: true, superset: false }],
  [['a', 'b', 'c'], ['a', 'b'], { strict: false, unordered: false, subset: false, superset: true }],
  [['a', 'a'], ['a', 'b'], { strict: false, unordered: false, subset: false, superset: false }],
];
test.each(TRAJECTORIES)('the calls %j are judged against %j by each mode', (calls, expected, verdicts) => {
  const given = facts({ calls: calls.map((tool) => call(tool)) });
  for (const mode of ['strict', 'unordered', 'subset', 'superset'] as const)
    expect([mode, hasTrajectory(given, expected, mode).pass]).toEqual([mode, verdicts[mode]]);
});

test('a trajectory has no calls that did not run', () => {
  const given = facts({ calls: [call('raed', {}, 'invalid'), call('read'), call('bash', {}, 'denied')] });
  for (const mode of ['strict', 'unordered', 'subset', 'superset'] as const)
    expect([mode, hasTrajectory(given, ['read'], mode).pass]).toEqual([mode, true]);
  expect(hasTrajectory(given, ['raed', 'read']).pass).toBe(false);
});

test('toHaveTrajectory marks where the calls become others', () => {
  const given = facts({ calls: [call('read'), call('raed', {}, 'invalid'), call('edit'), call('list')] });
  const happened = (...expected: string[]) => hasTrajectory(given, expected).message.split('\n').slice(2);
  expect(happened('read', 'write', 'list')[2]).toBe('  edit {} → ok   ← expected write');
  expect(happened('read', 'edit')[3]).toBe('  list {} → ok   ← no more calls were expected');
  expect(happened('read', 'edit', 'list', 'bash')[4]).toBe('  ← expected bash');
});

test('an unknown mode is refused', () => {
  expect(() => hasTrajectory(facts({}), [], 'any' as TrajectoryMode)).toThrow(
    'There is no mode "any". It can be strict, unordered, subset, superset.',
  );
});

test('a call that fits two expected ones leaves the only fitting one to another call', () => {
  const given = facts({ calls: [call('a', { x: 1 }), call('a', {})] });
  const expected = ['a', { tool: 'a', input: { x: 1 } }];
  expect(hasTrajectory(given, expected, 'unordered').pass).toBe(true);
});

test('toFinishWithin is about the last turn, which has to end by itself', () => {
  const turn: TurnFacts = { prompt: '', status: 'idle', steps: 2, tokens: 100, cost: 0.1, ms: 500 };
  const given = facts({ turns: [{ ...turn, steps: 9 }, turn] });
  expect(hasFinishedWithin(given, { steps: 2, tokens: 100, cost: 0.1, ms: 500 }).pass).toBe(true);
  for (const budget of [{ steps: 1 }, { tokens: 99 }, { cost: 0.05 }, { ms: 499 }])
    expect(hasFinishedWithin(given, budget).pass).toBe(false);
  const failed = facts({ turns: [{ ...turn, status: 'error' }] });
  expect(hasFinishedWithin(failed, { steps: 9 }).message).toContain('status error');
  expect(hasFinishedWithin(facts({}), { steps: 9 }).pass).toBe(false);
});

test.each([{}, { step: 1 }, { steps: undefined }, { steps: '1' }, { ms: NaN }])(
  'toFinishWithin refuses limits that limit nothing: %j',
  (budget) => {
    expect(() => hasFinishedWithin(facts({}), budget as Budget)).toThrow('steps, tokens, cost, ms');
  },
);

test('toHaveFile tells a missing file from another text', () => {
  expect(hasFile('a', 'text', 'text').pass).toBe(true);
  expect(hasFile('a', 'text', /^t/).pass).toBe(true);
  expect(hasFile('a', 'text').pass).toBe(true);
  expect(hasFile('a', 'text', 'other').message).toContain('It has "text".');
  expect(hasFile('a', undefined, 'text').message).toContain('There is no such file.');
  expect(hasFile('a', 'b', expect.stringContaining('c')).message).toContain('with StringContaining "c".');
});

test('toHaveChanged lists exactly the files that differ', () => {
  const files = [
    { path: 'a.txt', kind: 'added' },
    { path: 'src/b.ts', kind: 'changed' },
  ] as const;
  expect(hasChanged(files, ['a.txt', /^src\//]).pass).toBe(true);
  expect(hasChanged(files, ['a.txt']).pass).toBe(false);
  expect(hasChanged(files, ['a.txt', 'src/b.ts', 'c']).message).toContain('src/b.ts (changed)');
  expect(hasChanged([], []).pass).toBe(true);
});

test('a step of a trajectory names a tool', () => {
  expect(['read', { tool: 'edit' }, { tool: 'grep', input: {} }].map(toolOf)).toEqual([
    'read',
    'edit',
    'grep',
  ]);
  for (const wrong of [{ tol: 'read' }, { tool: 'read', inputs: {} }, undefined, 5])
    expect(() => toolOf(wrong as ExpectedCall)).toThrow(
      'A step of a trajectory is the name of a tool, or { tool, input }',
    );
});
