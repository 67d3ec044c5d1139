import * as z from 'zod';
import { isObject, type Json, type JsonObject } from '../base/json.ts';

/**
 * A check by JSON Schema, of what tools of others say of their arguments: types, required and named fields, lists, choices,
 * lengths, ranges and patterns. What it does not know it lets through: whoever gets the arguments checks them again.
 * (zod makes types of schemas too, but then all of zod is fetched with the first page.)
 */
export function jsonSchemaType(schema: JsonObject): z.ZodType<Json> {
  return z.json().superRefine((value, context) => {
    for (const { path, message } of problemsOf(schema, value, schema, 0))
      context.addIssue({ code: 'custom', path: [...path], message });
  });
}

interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const MAX_DEPTH = 50;

function problemsOf(
  schema: Json | undefined,
  value: Json,
  top: JsonObject,
  depth: number,
): readonly Problem[] {
  if (schema === false) return [{ path: [], message: 'nothing may be here' }];
  if (!isObject(schema) || depth > MAX_DEPTH) return [];
  const of = (inner: Json | undefined, part: Json = value) => problemsOf(inner, part, top, depth + 1);
  const found: Problem[] = [];
  const say = (message: string) => void found.push({ path: [], message });
  const { $ref, type, enum: choices, allOf, anyOf, oneOf } = schema;
  if (typeof $ref === 'string') found.push(...of(referred(top, $ref)));
  const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type : [];
  if (types.length > 0 && !types.some((each) => isOfType(value, each))) {
    say(`expected ${types.join(' or ')}, received ${typeName(value)}`);
    return found;
  }
  if (Array.isArray(choices) && !choices.some((choice) => same(choice, value)))
    say(`expected one of ${choices.map((choice) => JSON.stringify(choice)).join('|')}`);
  if ('const' in schema && !same(schema['const'], value)) say(`expected ${JSON.stringify(schema['const'])}`);
  if (Array.isArray(allOf)) for (const each of allOf) found.push(...of(each));
  for (const some of [anyOf, oneOf]) {
    if (!Array.isArray(some) || some.length === 0) continue;
    const tried = some.map((each) => of(each));
    // What fits best says most.
    if (!tried.some((problems) => problems.length === 0))
      found.push(...(tried.toSorted((a, b) => deepest(b) - deepest(a))[0] ?? []));
  }
  if (isObject(value)) found.push(...fieldProblems(schema, value, of));
  if (Array.isArray(value)) {
    value.forEach((item: Json, index) => found.push(...below(index, of(schema['items'], item))));
    found.push(...outside(value.length, schema['minItems'], schema['maxItems'], 'items'));
  }
  if (typeof value === 'string') {
    found.push(...outside([...value].length, schema['minLength'], schema['maxLength'], 'characters'));
    const { pattern } = schema;
    if (typeof pattern === 'string' && !fits(pattern, value)) say(`must match ${pattern}`);
  }
  if (typeof value === 'number') {
    found.push(...outside(value, schema['minimum'], schema['maximum'], ''));
    const { exclusiveMinimum: low, exclusiveMaximum: high } = schema;
    if (typeof low === 'number' && value <= low) say(`must be more than ${low}`);
    if (typeof high === 'number' && value >= high) say(`must be less than ${high}`);
  }
  return found;
}

function fieldProblems(
  schema: JsonObject,
  value: JsonObject,
  of: (inner: Json | undefined, part: Json) => readonly Problem[],
): readonly Problem[] {
  const { required, properties = {}, additionalProperties: others } = schema;
  const found: Problem[] = [];
  if (Array.isArray(required))
    for (const name of required)
      if (typeof name === 'string' && !Object.hasOwn(value, name))
        found.push({ path: [name], message: 'is missing' });
  for (const [name, part] of Object.entries(value)) {
    const known = isObject(properties) && Object.hasOwn(properties, name);
    if (known) found.push(...below(name, of(properties[name], part)));
    else if (others === false && schema['patternProperties'] === undefined)
      found.push({ path: [name], message: 'is not known' });
    else if (isObject(others)) found.push(...below(name, of(others, part)));
  }
  return found;
}

function below(name: string | number, problems: readonly Problem[]): readonly Problem[] {
  return problems.map(({ path, message }) => ({ path: [name, ...path], message }));
}

function outside(
  size: number,
  least: Json | undefined,
  most: Json | undefined,
  unit: string,
): readonly Problem[] {
  const told = (word: string, bound: number) => [
    { path: [], message: `must be at ${word} ${bound}${unit === '' ? '' : ` ${unit}`}` },
  ];
  if (typeof least === 'number' && size < least) return told('least', least);
  if (typeof most === 'number' && size > most) return told('most', most);
  return [];
}

/** A pattern of others may be none here. */
function fits(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text.slice(0, 10_000));
  } catch {
    return true;
  }
}

/** `#/$defs/name` */
function referred(top: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#')) return undefined;
  return reference
    .slice(1)
    .split('/')
    .filter((part) => part !== '')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<Json | undefined>(
      (at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined),
      top,
    );
}

function isOfType(value: Json, type: Json): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return typeName(value) === type;
}

function typeName(value: Json): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function deepest(problems: readonly Problem[]): number {
  return Math.max(0, ...problems.map(({ path }) => path.length));
}

function same(one: Json | undefined, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
