import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../base/json.ts';
import { jsonSchemaType } from './json-schema.ts';

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});

test.each<[JsonObject, Json]>([
  [object({ a: { type: 'string' } }, { required: ['a'] }), { a: 'x', b: 1 }],
  [object({ n: { type: 'integer', minimum: 1, maximum: 3 } }), { n: 3 }],
  [object({ n: { type: ['string', 'null'] } }), { n: null }],
  [object({ l: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 2 } }), { l: ['a', 'b'] }],
  [object({ t: { anyOf: [{ type: 'string' }, { type: 'number' }] } }), { t: 1 }],
  [object({ r: { $ref: '#/$defs/r' } }, { $defs: { r: { type: 'boolean' } } }), { r: true }],
  [object({ e: { type: 'string', pattern: '^(', minLength: 1 } }), { e: 'ü' }],
  [object({}, { additionalProperties: { type: 'number' } }), { x: 1 }],
  [{ $ref: '#' }, 1],
])('%j takes %j', (schema, value) => {
  expect(jsonSchemaType(schema).safeParse(value)).toEqual({ success: true, data: value });
});

test.each<[JsonObject, Json, string, string]>([
  [object({ a: {} }, { required: ['a'] }), {}, 'a', 'is missing'],
  [object({ a: { type: 'string' } }), { a: 1 }, 'a', 'expected string, received number'],
  [object({ n: { type: 'integer' } }), { n: 1.5 }, 'n', 'expected integer, received number'],
  [object({ n: { exclusiveMinimum: 1 } }), { n: 1 }, 'n', 'must be more than 1'],
  [object({ l: { type: 'array', items: { enum: ['a'] } } }), { l: ['a', 'c'] }, 'l.1', 'expected one of "a"'],
  [object({ l: { minItems: 1 } }), { l: [] }, 'l', 'must be at least 1 items'],
  [object({ s: { maxLength: 2 } }), { s: 'abc' }, 's', 'must be at most 2 characters'],
  [object({ s: { pattern: '^a$' } }), { s: 'b' }, 's', 'must match ^a$'],
  [object({ c: { const: 'x' } }), { c: 'y' }, 'c', 'expected "x"'],
  [object({}, { additionalProperties: false }), { x: 1 }, 'x', 'is not known'],
  [
    object({ t: { oneOf: [{ type: 'string' }, object({ k: { type: 'number' } })] } }),
    { t: { k: '' } },
    't.k',
    'expected number, received string',
  ],
  [
    object({ r: { $ref: '#/$defs/r' } }, { $defs: { r: { type: 'boolean' } } }),
    { r: 1 },
    'r',
    'expected boolean, received number',
  ],
  [{ type: 'object' }, [], '', 'expected object, received array'],
])('%j does not take %j', (schema, value, path, message) => {
  const parsed = jsonSchemaType(schema).safeParse(value);
  expect(parsed.error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([
    [path, message],
  ]);
});
