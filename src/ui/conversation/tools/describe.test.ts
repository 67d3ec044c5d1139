import { expect, test } from 'vitest';
import type { ToolPart } from '../../../session/log/state.ts';
import {
  describeCall,
  otherArguments,
  outputOf,
  problemsOf,
  stateOf,
  stateWord,
  stripControls,
} from './describe.ts';

function call(over: Partial<ToolPart>): ToolPart {
  return {
    type: 'tool',
    key: 'k',
    messageID: 'm',
    callID: 'c',
    created: 0,
    tool: 'bash',
    status: 'pending',
    raw: '',
    metadata: {},
    live: '',
    ...over,
  };
}

test('arguments are worded while they are still being typed', () => {
  expect(describeCall(call({ raw: '{"command":"npm te' }))).toMatchObject({ verb: 'Run', target: 'npm te' });
  expect(describeCall(call({ tool: 'grep', input: { pattern: 'x', path: '/home/project/src' } }))).toEqual({
    verb: 'Search',
    target: 'x',
    detail: 'in src',
  });
});

test('a patch is worded by its files, a plan by what is done now', () => {
  const patchText =
    '*** Begin Patch\n*** Update File: /home/project/a.ts\n-x\n*** Add File: b.ts\n+y\n*** Delete Fi';
  expect(
    describeCall(call({ tool: 'apply_patch', raw: JSON.stringify({ patchText }).slice(0, -2) })),
  ).toEqual({
    verb: 'Patch',
    target: 'a.ts',
    detail: 'and 1 more',
  });
  const todos = [
    { content: 'Look', status: 'completed' },
    { content: 'Fix it', status: 'in_progress' },
  ];
  expect(describeCall(call({ tool: 'todowrite', input: { todos } }))).toEqual({
    verb: 'Plan',
    target: 'Fix it',
    detail: '1 of 2 done',
  });
});

test.each(['constructor', '__proto__', 'toString'])('nor does %s as a name confuse anything', (tool) => {
  expect(describeCall(call({ tool, input: { a: 'b' } }))).toMatchObject({ verb: tool, target: 'b' });
});

test('a tool that is not known keeps its own name', () => {
  expect(describeCall(call({ tool: 'deploy', input: { where: 'here' } }))).toMatchObject({
    verb: 'deploy',
    target: 'here',
  });
});

test.each([
  [call({}), 'thinking'],
  [call({ input: {} }), 'stopped'],
  [call({ input: {}, waiting: 'r' }), 'waiting'],
  [call({ status: 'running' }), 'running'],
  [call({ status: 'completed', outcome: 'ok' }), 'done'],
  [call({ status: 'completed', outcome: 'ok', metadata: { exitCode: 1 } }), 'failed'],
  [call({ status: 'error', outcome: 'interrupted' }), 'stopped'],
  [call({ status: 'error', outcome: 'denied' }), 'failed'],
] as const)('state of a call %#', (part, state) => {
  expect(stateOf(part)).toBe(state);
});

test('at an earlier moment a call does not say that it waits for the reader', () => {
  const asked = call({ input: {}, waiting: 'r' });
  expect(stateWord(asked)).toBe('waiting for you');
  expect(stateWord(asked, true)).toBe('waited for an answer');
  expect(stateWord(call({ status: 'running' }), true)).toBe('running');
});

test('what only a terminal understands is taken out of output', () => {
  expect(stripControls('\x1b[31mred\x1b[0m 10%\r100%\r\nnext\x07')).toBe('100%\nnext\ufffd');
  expect(stripControls('\x1b]0;title\x07text')).toBe('text');
});

test('a very long line is cleaned in no time', () => {
  const line = 'x'.repeat(500_000);
  const start = performance.now();
  expect(stripControls(`${line}\r`)).toBe(line);
  expect(performance.now() - start).toBeLessThan(200);
});

test('of a search only what it was told is shown beside its words', () => {
  const input = { query: 'x', language: ['Go'], useRegexp: false, tokensNum: 5_000 };
  const raw = '{"query":"x","language":["Go"]}';
  expect(otherArguments(call({ tool: 'codesearch', input, raw }))).toEqual({ language: ['Go'] });
  expect(
    otherArguments(call({ tool: 'deploy', input: { to: 'eu', fast: false }, raw: '{"to":"eu"}' })),
  ).toEqual({ to: 'eu', fast: false });
});

test('what a batch says of each call is left to their cards', () => {
  const output = 'The batch failed as a whole. Put back: a.txt.\n\n[2] edit: failed\nNo.';
  const first = output.replace('[2]', '[1]');
  const shown = (text: string) => outputOf(call({ tool: 'batch', outcome: 'failed', output: text })).text;
  expect(shown(first)).toBe('The batch failed as a whole. Put back: a.txt.');
  expect(shown(output)).toBe('The batch failed as a whole. Put back: a.txt.');
  expect(shown('Interrupted: plainly.\n- edit')).toBe('Interrupted: plainly.\n- edit');
});

test('a question about code is worded by what is asked, under each of its names', () => {
  const input = { operation: 'findReferences', filePath: '/home/project/src/a.ts', line: 3, character: 7 };
  expect(describeCall(call({ tool: 'lsp', input, metadata: { count: 2 } }))).toEqual({
    verb: 'References',
    target: 'src/a.ts:3:7',
    detail: '2 results',
  });
  expect(describeCall(call({ tool: 'lsp_rename', raw: '{"filePath":"a.ts","newName":"b' }))).toEqual({
    verb: 'Rename',
    target: 'a.ts',
    detail: 'to b',
  });
  expect(
    describeCall(call({ tool: 'lsp', input: { operation: 'workspaceSymbol', query: 'Shape' } })),
  ).toMatchObject({ verb: 'Find symbol', target: 'Shape' });
});

test('errors that a change left are read from its metadata, whatever stands there', () => {
  expect([
    ...problemsOf(call({ metadata: { diagnostics: { 'a.ts': ['one', 2], 'b.ts': [], 'c.ts': 'no' } } })),
  ]).toEqual([['a.ts', ['one']]]);
  expect(problemsOf(call({ metadata: { diagnostics: [] } })).size).toBe(0);
});
