import { isObject, type Json, type JsonObject } from '../../../base/json.ts';

/** A field of a form that is built from a JSON Schema. `json` is for schemas that no simpler kind covers. */
export type Field =
  | { readonly kind: 'text' | 'number' | 'boolean' | 'json' }
  | { readonly kind: 'choice'; readonly choices: readonly Json[] }
  | { readonly kind: 'list'; readonly item: Field & Described }
  | { readonly kind: 'group'; readonly members: readonly Member[] };

export interface Described {
  readonly says: string;
}

export type Member = Field & Described & { readonly name: string; readonly required: boolean };

/** The number of levels of a form; a schema that contains itself is shown as JSON from there on. */
const LEVELS = 5;

/** Builds the form for `schema`, which is also the root for resolving `$ref`. */
export function fieldOf(schema: JsonObject): Field & Described {
  return field(schema, schema, 0);
}

function field(given: Json | undefined, root: JsonObject, level: number): Field & Described {
  const schema = resolve(given, root);
  const says = typeof schema.description === 'string' ? schema.description : '';
  return { ...kindOf(schema, root, level), says };
}

function kindOf(schema: JsonObject, root: JsonObject, level: number): Field {
  const choices = choicesOf(schema);
  if (choices) return { kind: 'choice', choices };
  if (level > LEVELS) return { kind: 'json' };
  switch (typeOf(schema)) {
    case 'string':
      return { kind: 'text' };
    case 'number':
    case 'integer':
      return { kind: 'number' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array':
      return isObject(schema.items)
        ? { kind: 'list', item: field(schema.items, root, level + 1) }
        : { kind: 'json' };
    case 'object': {
      const members = membersOf(schema, root, level);
      return members.length > 0 || level === 0 ? { kind: 'group', members } : { kind: 'json' };
    }
    default:
      return { kind: 'json' };
  }
}

function membersOf(schema: JsonObject, root: JsonObject, level: number): Member[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const members = properties.map(([name, of]) => ({
    ...field(of, root, level + 1),
    name,
    required: required.includes(name),
  }));
  // Required fields come first; both groups keep the schema's order.
  return [...members.filter((member) => member.required), ...members.filter((member) => !member.required)];
}

/**
 * Resolves references, and drops `null` from the alternatives, since leaving the field out means the same.
 */
function resolve(given: Json | undefined, root: JsonObject): JsonObject {
  let schema = isObject(given) ? given : {};
  for (let n = 0; n < LEVELS && typeof schema.$ref === 'string'; n++) schema = referred(schema.$ref, root);
  const forms = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(forms)) return schema;
  const real = forms.filter((form) => isObject(form) && form.type !== 'null');
  const [only] = real;
  if (real.length !== 1) return schema;
  const { anyOf: _any, oneOf: _one, ...rest } = schema;
  return { ...resolve(only, root), ...rest };
}

function referred(ref: string, root: JsonObject): JsonObject {
  let found: Json | undefined = root;
  for (const key of ref.replace(/^#\/?/, '').split('/').filter(Boolean))
    found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  return isObject(found) ? found : {};
}

function choicesOf(schema: JsonObject): readonly Json[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum;
  if (schema.const !== undefined) return [schema.const];
  const forms = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(forms) || forms.length === 0) return undefined;
  const each = forms.map((form) => (isObject(form) ? (form.const ?? form.enum) : undefined));
  return each.every((choice) => choice !== undefined) ? each.flat() : undefined;
}

function typeOf({ type, properties }: JsonObject): Json | undefined {
  if (Array.isArray(type)) {
    const real = type.filter((each) => each !== 'null');
    return real.length === 1 ? real[0] : undefined;
  }
  return type ?? (isObject(properties) ? 'object' : undefined);
}

/** The initial value of a field that was just added. */
export function blankOf({ kind, ...rest }: Field): Json {
  if (kind === 'list') return [];
  if (kind === 'group') return {};
  if (kind === 'boolean') return false;
  if (kind === 'choice' && 'choices' in rest) return rest.choices[0] ?? null;
  return '';
}

/** Sets `name` to `value`, or removes it if `value` is `undefined`. */
export function withMember(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  const { [name]: _before, ...rest } = object;
  if (value === undefined) return rest;
  return Object.hasOwn(object, name) ? { ...object, [name]: value } : { ...rest, [name]: value };
}
