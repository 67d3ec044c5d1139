import { describe, expect, test } from 'vitest';
import type { ToolSpec } from '../../session/request/model.ts';
import { callIn, fittedCall, isBrokenOff, withoutCall } from './repaired-call.ts';

const READ: ToolSpec = {
  name: 'read',
  description: 'Reads a file.',
  schema: {
    type: 'object',
    properties: { filePath: { type: 'string' }, offset: { type: 'integer' }, limit: { type: 'integer' } },
    required: ['filePath'],
  },
};
const EDIT: ToolSpec = {
  name: 'edit',
  description: 'Changes a file.',
  schema: {
    type: 'object',
    properties: {
      filePath: { type: 'string' },
      oldString: { type: 'string' },
      newString: { type: 'string' },
      replaceAll: { type: 'boolean' },
    },
    required: ['filePath', 'oldString', 'newString'],
  },
};
const WRITE: ToolSpec = {
  name: 'write',
  description: 'Writes a file.',
  schema: {
    type: 'object',
    properties: { filePath: { type: 'string' }, content: { type: 'string' } },
    required: ['filePath', 'content'],
  },
};
const TOOLS = [READ, EDIT];
const MEANT = { tool: 'read', input: { filePath: 'a.txt' } };

describe('a call is found', () => {
  test.for([
    ['in tags', '<tool_call>\n{"name":"read","arguments":{"filePath":"a.txt"}}\n</tool_call>', ''],
    ['in tags that nobody closed', '<tool_call>{"name":"read","arguments":{"filePath":"a.txt"}}', ''],
    [
      'after words',
      'I look.\n<tool_call>{"name":"read","arguments":{"filePath":"a.txt"}}</tool_call>',
      'I look.',
    ],
    [
      'in a block of code',
      'Sure!\n```json\n{"tool":"read","arguments":{"filePath":"a.txt"}}\n```\nDone.',
      'Sure!',
    ],
    ['as an object alone', '{"name":"read","parameters":{"filePath":"a.txt"}}', ''],
    ['with a comma too many', '{"name":"read","arguments":{"filePath":"a.txt",},}', ''],
    ['with brackets too few', '{"name":"read","arguments":{"filePath":"a.txt"', ''],
    [
      'within `function`',
      '{"type":"function","function":{"name":"read","arguments":{"filePath":"a.txt"}}}',
      '',
    ],
    ['with arguments as text', '{"name":"read","arguments":"{\\"filePath\\":\\"a.txt\\"}"}', ''],
    ['with nothing of Python', '{"name":"read","arguments":{"filePath":"a.txt","limit":None}}', ''],
  ] as const)('%s', ([, text, say]) => {
    expect(callIn(text, TOOLS)).toEqual({ say, ...MEANT });
  });

  test.for([
    '# Use\n```js\nadd(1, 2);\n```\n',
    'See <tool_call> and </tool_call>.',
    'x = [1, 2, ]\ny = (True, )\n',
    'def f(a: None) -> None: ...\nf = {"a": True}\n',
  ])('and what stands in its texts stays as it is: %j', (content) => {
    const input = { filePath: 'a.md', content };
    const call = (args: string) =>
      callIn(`<tool_call>{"name":"write","arguments":${args}}</tool_call>`, [WRITE]);
    const json = JSON.stringify(input);
    const found = { say: '', tool: 'write', input };
    expect(call(json)).toEqual(found);
    // A comma too many, and words of Python, are put right around the texts.
    expect(call(json.replace(/}$/, ',}'))).toEqual(found);
    expect(call(json.replace(/}$/, ',"mode":None}'))).toEqual(found);
  });

  test('also behind an example that is none', () => {
    const text =
      'The file has\n```json\n{"a":1}\n```\n<tool_call>{"name":"read","arguments":{"filePath":"a.txt"}}';
    expect(callIn(text, TOOLS)).toEqual({ say: 'The file has\n```json\n{"a":1}\n```', ...MEANT });
  });

  test('and is none where an object only looks like one', () => {
    expect(callIn('```json\n{"name":"vitrine","version":"1"}\n```', TOOLS)).toBeUndefined();
    expect(callIn('It has { and }.', TOOLS)).toBeUndefined();
    expect(callIn('Nothing to do.', TOOLS)).toBeUndefined();
  });

  test('of a tool that does not exist, where it is marked as a call, so that the loop can say so', () => {
    expect(callIn('<tool_call>{"name":"open","arguments":{}}</tool_call>', TOOLS)).toMatchObject({
      tool: 'open',
    });
  });

  test('and is text where it breaks off, so that half a file is never written', () => {
    const text = '{"name":"edit","arguments":{"filePath":"a.txt","newString":"half';
    expect(callIn(text, TOOLS)).toEqual({ say: '', tool: 'edit', input: text });
    expect([isBrokenOff(text), isBrokenOff('```json\n{"say":"a"'), isBrokenOff('{"say":"a')]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('arguments', () => {
  test.for([
    ['file_path', { file_path: 'a.txt' }, { filePath: 'a.txt' }],
    ['path', { path: 'a.txt' }, { filePath: 'a.txt' }],
    ['a number as text', { filePath: 'a.txt', limit: '20' }, { filePath: 'a.txt', limit: 20 }],
    ['a text as a number', { filePath: 7 }, { filePath: '7' }],
    ['nothing for what may be left out', { filePath: 'a.txt', offset: null }, { filePath: 'a.txt' }],
    ['what nothing is like', { filePath: 'a.txt', colour: 'red' }, { filePath: 'a.txt', colour: 'red' }],
    ['what is not there', { limit: 3 }, { limit: 3 }],
  ] as const)('get their names and types: %s', ([, given, wanted]) => {
    expect(fittedCall('Read', given, TOOLS)).toEqual({ tool: 'read', input: wanted });
  });

  test('are not guessed where two are alike', () => {
    expect(fittedCall('edit', { string: 'x' }, TOOLS).input).toEqual({ string: 'x' });
    expect(fittedCall('edit', { replace_all: 'True' }, TOOLS).input).toEqual({ replaceAll: true });
  });
});

test('what may become a call is not shown before it is known', () => {
  expect(withoutCall('I look.\n<tool_')).toBe('I look.\n');
  expect(withoutCall('I look.\n<tool_call>{"na')).toBe('I look.\n');
  expect(withoutCall('I look.\n``')).toBe('I look.\n');
  expect(withoutCall('1 < 2, all is well.')).toBe('1 < 2, all is well.');
});
