import { expect, test } from 'vitest';
import { builtinTools } from '../../../tools/builtin.ts';
import { ToolRegistry } from '../../../tools/registry.ts';
import { blankOf, fieldOf, withMember } from './schema-form.ts';

test('each kind of schema has its field, required ones first', () => {
  expect(
    fieldOf({
      type: 'object',
      properties: {
        limit: { type: ['integer', 'null'], description: 'At most' },
        path: { type: 'string' },
        deep: { type: 'boolean' },
        kind: { enum: ['a', 'b'] },
        fixed: { const: 1 },
        either: { anyOf: [{ const: 'x' }, { const: 'y' }] },
        maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        mixed: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        any: {},
        list: { type: 'array', items: { $ref: '#/$defs/item' } },
      },
      required: ['path'],
      $defs: { item: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
    }),
  ).toEqual({
    kind: 'group',
    says: '',
    members: [
      { name: 'path', required: true, kind: 'text', says: '' },
      { name: 'limit', required: false, kind: 'number', says: 'At most' },
      { name: 'deep', required: false, kind: 'boolean', says: '' },
      { name: 'kind', required: false, kind: 'choice', choices: ['a', 'b'], says: '' },
      { name: 'fixed', required: false, kind: 'choice', choices: [1], says: '' },
      { name: 'either', required: false, kind: 'choice', choices: ['x', 'y'], says: '' },
      { name: 'maybe', required: false, kind: 'text', says: '' },
      { name: 'mixed', required: false, kind: 'json', says: '' },
      { name: 'any', required: false, kind: 'json', says: '' },
      {
        name: 'list',
        required: false,
        kind: 'list',
        says: '',
        item: {
          kind: 'group',
          says: '',
          members: [{ name: 'name', required: true, kind: 'text', says: '' }],
        },
      },
    ],
  });
});

test('a schema that holds itself, or points nowhere, ends as JSON', () => {
  const tree = { type: 'object', properties: { child: { $ref: '#' } } };
  expect(JSON.stringify(fieldOf(tree))).toContain('"json"');
  expect(fieldOf({ $ref: '#/nowhere' })).toEqual({ kind: 'json', says: '' });
  expect(fieldOf({ $ref: '#/__proto__/toString' })).toEqual({ kind: 'json', says: '' });
});

test('every built-in tool has a form', async () => {
  const tools = await new ToolRegistry(builtinTools).tools({ provider: 'you', model: 'you' }, 'build');
  expect(tools.length).toBeGreaterThan(8);
  for (const { id, schema } of tools) {
    const form = fieldOf(schema);
    expect([id, form.kind]).toEqual([id, 'group']);
  }
});

test('a value is put in its place, and left out where it is none', () => {
  expect(withMember({ a: 1, b: 2 }, 'a', 3)).toEqual({ a: 3, b: 2 });
  expect(Object.keys(withMember({ a: 1, b: 2 }, 'a', 3))).toEqual(['a', 'b']);
  expect(withMember({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 });
  expect(blankOf({ kind: 'choice', choices: ['x'] })).toBe('x');
  expect(blankOf({ kind: 'group', members: [] })).toEqual({});
});
