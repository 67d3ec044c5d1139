import * as z from 'zod';
import { isObject, type Json, type JsonObject } from '../base/json.ts';

/**
 * Checks arguments against the JSON Schema of a foreign tool: types, required and known properties, arrays, enums,
 * lengths, ranges and patterns. Unknown keywords pass, as whoever gets the arguments checks them again. (zod can convert
 * schemas too, but that would load all of zod with the first page.)
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
  root: JsonObject,
  depth: number,
): readonly Problem[] {
  if (schema === false) return [{ path: [], message: 'nothing may be here' }];
  if (!isObject(schema) || depth > MAX_DEPTH) return [];
  const of = (inner: Json | undefined, part: Json = value) => problemsOf(inner, part, root, depth + 1);
  const found: Problem[] = [];
  const addProblem = (message: string) => void found.push({ path: [], message });
  const { $ref, type, enum: choices, allOf, anyOf, oneOf } = schema;
  if (typeof $ref === 'string') found.push(...of(resolveReference(root, $ref)));
  const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type : [];
  if (types.length > 0 && !types.some((each) => isOfType(value, each))) {
    addProblem(`expected ${types.join(' or ')}, received ${typeName(value)}`);
    return found;
  }
  if (Array.isArray(choices) && !choices.some((choice) => same(choice, value)))
    addProblem(`expected one of ${choices.map((choice) => JSON.stringify(choice)).join('|')}`);
  if ('const' in schema && !same(schema['const'], value))
    addProblem(`expected ${JSON.stringify(schema['const'])}`);
  if (Array.isArray(allOf)) for (const each of allOf) found.push(...of(each));
  for (const some of [anyOf, oneOf]) {
    if (!Array.isArray(some) || some.length === 0) continue;
    const tried = some.map((each) => of(each));
    // The alternative that fails deepest was probably meant, so its problems are reported.
    if (!tried.some((problems) => problems.length === 0))
      found.push(...(tried.toSorted((a, b) => deepest(b) - deepest(a))[0] ?? []));
  }
  if (isObject(value)) found.push(...fieldProblems(schema, value, of));
  if (Array.isArray(value)) {
    value.forEach((item: Json, index) => found.push(...withPath(index, of(schema['items'], item))));
    found.push(...rangeProblems(value.length, schema['minItems'], schema['maxItems'], 'items'));
  }
  if (typeof value === 'string') {
    found.push(...rangeProblems([...value].length, schema['minLength'], schema['maxLength'], 'characters'));
    const { pattern } = schema;
    if (typeof pattern === 'string' && !fits(pattern, value)) addProblem(`must match ${pattern}`);
  }
  if (typeof value === 'number') {
    found.push(...rangeProblems(value, schema['minimum'], schema['maximum'], ''));
    const { exclusiveMinimum: low, exclusiveMaximum: high } = schema;
    if (typeof low === 'number' && value <= low) addProblem(`must be more than ${low}`);
    if (typeof high === 'number' && value >= high) addProblem(`must be less than ${high}`);
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
    if (known) found.push(...withPath(name, of(properties[name], part)));
    else if (others === false && schema['patternProperties'] === undefined)
      found.push({ path: [name], message: 'is not known' });
    else if (isObject(others)) found.push(...withPath(name, of(others, part)));
  }
  return found;
}

function withPath(name: string | number, problems: readonly Problem[]): readonly Problem[] {
  return problems.map(({ path, message }) => ({ path: [name, ...path], message }));
}

function rangeProblems(
  size: number,
  least: Json | undefined,
  most: Json | undefined,
  unit: string,
): readonly Problem[] {
  const problem = (word: string, bound: number) => [
    { path: [], message: `must be at ${word} ${bound}${unit === '' ? '' : ` ${unit}`}` },
  ];
  if (typeof least === 'number' && size < least) return problem('least', least);
  if (typeof most === 'number' && size > most) return problem('most', most);
  return [];
}

/** A foreign pattern may be invalid in JavaScript; it then matches everything. */
function fits(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text.slice(0, 10_000));
  } catch {
    return true;
  }
}

/** Resolves a local reference such as `#/$defs/name`. */
function resolveReference(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#')) return undefined;
  return reference
    .slice(1)
    .split('/')
    .filter((part) => part !== '')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<Json | undefined>(
      (at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined),
      root,
    );
}

function isOfType(value: Json, type: Json): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return typeName(value) === type;
}

/** Returns the name of a value's type in JSON Schema, without `integer`. */
export function typeName(value: Json): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function deepest(problems: readonly Problem[]): number {
  return Math.max(0, ...problems.map(({ path }) => path.length));
}

function same(one: Json | undefined, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
