import { isObject } from '../../src/base/json.ts';
import { shown } from '../matchers/matches.ts';

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** The keywords that JSON Schema has for an object. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...[
    '$schema',
    '$id',
    '$ref',
    '$defs',
    '$comment',
    'definitions',
    'title',
    'description',
    'type',
    'examples',
  ],
  ...['default', 'deprecated', 'readOnly', 'writeOnly', 'enum', 'const', 'properties', 'required'],
  ...['additionalProperties', 'patternProperties', 'propertyNames', 'unevaluatedProperties', 'minProperties'],
  ...['maxProperties', 'dependencies', 'dependentRequired', 'dependentSchemas', 'allOf', 'anyOf', 'oneOf'],
  ...['not', 'if', 'then', 'else'],
]);

type Schema = Readonly<Record<string, unknown>>;

/** Says what is wrong in the JSON Schema of a tool's arguments. Without this, a slip in it would let all arguments pass. */
export function schemaProblems(schema: Schema, where: string): string[] {
  const { type, properties, required } = schema;
  const strange = Object.keys(schema).filter((key) => !KEYWORDS.has(key) && !key.startsWith('x-'));
  const isWhole = !['$ref', 'allOf', 'anyOf', 'oneOf'].some((key) => key in schema);
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const missing =
    isObject(properties) && isWhole ? names.filter((name) => !(String(name) in properties)) : [];
  return [
    ...strange.map(
      (key) => `${where} has "${key}", which JSON Schema has not. Arguments stand below "properties".`,
    ),
    ...(type !== undefined && type !== 'object'
      ? [`${where}.type is ${shown(type)}. It describes all arguments together, which are an "object".`]
      : []),
    ...(required !== undefined && !Array.isArray(required)
      ? [`${where}.required is ${shown(required)}. Write a list with the names of arguments.`]
      : []),
    ...missing.map((name) => `${where}.required names ${shown(name)}, which is not among the properties.`),
    ...typeProblems(schema, where),
  ];
}

/** Looks through a schema and all those in it. */
function typeProblems(schema: unknown, where: string): string[] {
  if (!isObject(schema)) return [];
  const { type, properties, patternProperties, items, additionalProperties, not } = schema;
  const types: readonly unknown[] = type === undefined ? [] : Array.isArray(type) ? type : [type];
  const wrong = types.filter((each) => !TYPES.includes(each));
  const inside: readonly (readonly [string, unknown])[] = [
    ...membersOf(properties, `${where}.properties`),
    ...membersOf(patternProperties, `${where}.patternProperties`),
    ...['$defs', 'definitions'].flatMap((key) => membersOf(schema[key], `${where}.${key}`)),
    ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].flatMap((key) => {
      const list: unknown = schema[key];
      return Array.isArray(list) ? list.map((each, at) => [`${where}.${key}[${at}]`, each] as const) : [];
    }),
    ...Object.entries({ items, additionalProperties, not }).map(
      ([key, each]) => [`${where}.${key}`, each] as const,
    ),
  ];
  return [
    ...wrong.map((each) => `${where}.type is ${shown(each)}. JSON Schema has the types ${TYPES.join(', ')}.`),
    ...inside.flatMap(([at, each]) => typeProblems(each, at)),
  ];
}

function membersOf(value: unknown, where: string): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value).map(([key, each]) => [`${where}.${key}`, each]) : [];
}
