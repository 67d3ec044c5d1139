import { brief, compare, JqError, kind, type Json, type JsonObject } from './json.ts';

/** A value, and the path to it where paths are asked for. */
export interface At {
  readonly value: Json;
  readonly path?: readonly Json[] | undefined;
}

export function indexed({ value, path }: At, key: Json): At {
  const way = path && [...path, key];
  if (value === null && (typeof key === 'string' || typeof key === 'number' || key === null))
    return { value: null, path: way };
  if (value instanceof Map && typeof key === 'string') return { value: value.get(key) ?? null, path: way };
  if (Array.isArray(value) && typeof key === 'number') {
    const at = Math.floor(key);
    return { value: value[at < 0 ? at + value.length : at] ?? null, path: way };
  }
  if (Array.isArray(value) && Array.isArray(key)) {
    const found = value.flatMap((_item, at) =>
      compare(value.slice(at, at + key.length), key) === 0 && key.length > 0 ? [at] : [],
    );
    return { value: found, path: way };
  }
  if (key instanceof Map && (value === null || Array.isArray(value)))
    return sliced({ value, path }, key.get('start') ?? null, key.get('end') ?? null);
  if (typeof key === 'string') throw new JqError(`Cannot index ${kind(value)} with "${key}"`);
  throw new JqError(`Cannot index ${kind(value)} with ${kind(key)}`);
}

function bounds(length: number, from: Json, to: Json): [number, number] {
  const place = (value: Json, instead: number, round: (x: number) => number) => {
    if (value === null) return instead;
    if (typeof value !== 'number')
      throw new JqError('Start and end indices of an array slice must be numbers');
    const at = round(value);
    return Math.min(length, Math.max(0, at < 0 ? at + length : at));
  };
  return [place(from, 0, Math.floor), place(to, length, Math.ceil)];
}

export function sliced({ value, path }: At, from: Json, to: Json): At {
  const way = path && [
    ...path,
    new Map<string, Json>([
      ['start', from],
      ['end', to],
    ]),
  ];
  if (value === null) return { value: null, path: way };
  if (typeof value === 'string') {
    const chars = [...value];
    return { value: chars.slice(...bounds(chars.length, from, to)).join(''), path: way };
  }
  if (!Array.isArray(value)) throw new JqError(`Cannot index ${kind(value)} with object`);
  return { value: value.slice(...bounds(value.length, from, to)), path: way };
}

export function* iterated({ value, path }: At): Generator<At, void, undefined> {
  if (Array.isArray(value))
    for (const [at, item] of value.entries()) yield { value: item, path: path && [...path, at] };
  else if (value instanceof Map)
    for (const [key, item] of value) yield { value: item, path: path && [...path, key] };
  else throw new JqError(`Cannot iterate over ${kind(value)}${value === null ? '' : ` (${brief(value)})`}`);
}

export function pathValue(value: Json, path: readonly Json[]): Json {
  let found: Json = value;
  for (const key of path) {
    if (found === null) return null;
    found = indexed({ value: found }, key).value;
  }
  return found;
}

export function withPath(value: Json, path: readonly Json[], after: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return after;
  const inner = withPath(indexed({ value }, key).value, rest, after);
  if (typeof key === 'string') {
    const made: JsonObject = new Map(value instanceof Map ? value : []);
    return made.set(key, inner);
  }
  const list = Array.isArray(value) ? [...value] : [];
  if (typeof key === 'number') {
    const at = key < 0 ? key + list.length : key;
    if (at < 0) throw new JqError('Out of bounds negative array index');
    while (list.length < at) list.push(null);
    list[at] = inner;
    return list;
  }
  if (key instanceof Map) {
    const [from, to] = bounds(list.length, key.get('start') ?? null, key.get('end') ?? null);
    if (!Array.isArray(inner)) throw new JqError('A slice of an array can only be assigned another array');
    list.splice(from, Math.max(0, to - from), ...inner);
    return list;
  }
  throw new JqError(`Invalid path component`);
}

export function withoutPaths(value: Json, paths: readonly (readonly Json[])[]): Json {
  const order = [...paths].sort((a, b) => compare([...b], [...a]));
  return order.reduce<Json>((result, path) => withoutPath(result, path), value);
}

function withoutPath(value: Json, [key, ...rest]: readonly Json[]): Json {
  if (value === null || key === undefined) return null;
  if (rest.length > 0) {
    const inner = indexed({ value }, key).value;
    return inner === null ? value : withPath(value, [key], withoutPath(inner, rest));
  }
  if (value instanceof Map && typeof key === 'string') {
    const made = new Map(value);
    made.delete(key);
    return made;
  }
  if (Array.isArray(value) && typeof key === 'number') {
    const at = key < 0 ? key + value.length : key;
    return value.filter((_item, i) => i !== at);
  }
  if (Array.isArray(value) && key instanceof Map) {
    const [from, to] = bounds(value.length, key.get('start') ?? null, key.get('end') ?? null);
    return value.filter((_item, i) => i < from || i >= to);
  }
  throw new JqError(`Cannot delete field at ${kind(key)} index of ${kind(value)}`);
}
