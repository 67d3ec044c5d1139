import { isObject, type Json, type JsonObject } from '../base/json.ts';

/**
 * Reduces a schema to the subset that Gemini takes: enum values are strings, required properties exist, arrays have
 * `items`, and only objects have `properties` and `required`.
 */
export function geminiSchema(schema: JsonObject): JsonObject {
  const result: Record<string, Json> = {};
  for (const [key, value] of Object.entries(schema)) result[key] = fitted(key, value);
  if (Array.isArray(schema.enum)) {
    result.enum = schema.enum.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
    if (schema.type === 'integer' || schema.type === 'number' || schema.type === undefined)
      result.type = 'string';
  }
  const properties = schema.properties;
  const isObjectSchema = schema.type === 'object' || (schema.type === undefined && isObject(properties));
  if (!isObjectSchema) {
    delete result.properties;
    delete result.required;
  } else if (Array.isArray(schema.required)) {
    const existing = isObject(properties) ? properties : {};
    const required = schema.required.filter(
      (name) => typeof name === 'string' && Object.hasOwn(existing, name),
    );
    if (required.length > 0) result.required = required;
    else delete result.required;
  }
  if (schema.type === 'array' && !isObject(schema.items)) result.items = { type: 'string' };
  return result;
}

function fitted(key: string, value: Json): Json {
  // The keys here are property names, not schema keywords.
  if ((key === 'properties' || key === '$defs' || key === 'definitions') && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, isObject(each) ? geminiSchema(each) : each]),
    );
  if (key === 'enum' || key === 'default' || key === 'const' || key === 'examples') return value;
  if (Array.isArray(value)) return value.map((each) => (isObject(each) ? geminiSchema(each) : each));
  return isObject(value) ? geminiSchema(value) : value;
}

/** Converts arguments back to the tool's own schema: enum values that were offered as text become numbers again. */
export function fromGemini(input: Json, schema: JsonObject | undefined): Json {
  if (!schema) return input;
  if (typeof input === 'string' && Array.isArray(schema.enum) && !schema.enum.includes(input))
    return schema.enum.find((value) => JSON.stringify(value) === input) ?? input;
  if (Array.isArray(input)) {
    const items = isObject(schema.items) ? schema.items : undefined;
    return items ? input.map((each: Json) => fromGemini(each, items)) : input;
  }
  const { properties } = schema;
  if (!isObject(input) || !isObject(properties)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, isObject(own) ? fromGemini(value, own) : value];
    }),
  );
}
