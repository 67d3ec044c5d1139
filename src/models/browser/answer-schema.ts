import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { ToolSpec } from '../../session/request/model.ts';

/** The keywords that engines for constrained answers understand; others could make them refuse the schema. */
const KEYWORDS: ReadonlySet<string> = new Set(['type', 'enum', 'const', 'required', 'anyOf', 'items']);

/**
 * The schema of an answer: an object with what the model says, and with the one call that it makes, if any. The
 * arguments keep to the schema of the tool that is called.
 */
export function answerSchema(tools: readonly ToolSpec[]): JsonObject {
  const calls = tools.map(({ name, schema }) => ({
    type: 'object',
    properties: { tool: { type: 'string', enum: [name] }, arguments: simplified(schema) },
    required: ['tool', 'arguments'],
    additionalProperties: false,
  }));
  return {
    type: 'object',
    properties: { say: { type: 'string' }, call: { anyOf: calls } },
    required: ['say'],
    additionalProperties: false,
  };
}

function simplified(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, Json][] => {
    if (key === 'properties' && isObject(value))
      return [[key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each)]))]];
    return KEYWORDS.has(key) ? [[key, inner(value)]] : [];
  });
  const isClosed = schema.type === 'object' && 'properties' in schema;
  return { ...Object.fromEntries(entries), ...(isClosed && { additionalProperties: false }) };
}

function inner(value: Json): Json {
  if (Array.isArray(value)) return value.map(inner);
  return isObject(value) ? simplified(value) : value;
}
