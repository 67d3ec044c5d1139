import { brief, compare, JqError, kind, type Json, type JsonObject } from './json.ts';

export function operate(op: string, a: Json, b: Json): Json {
  switch (op) {
    case '==':
      return compare(a, b) === 0;
    case '!=':
      return compare(a, b) !== 0;
    case '<':
      return compare(a, b) < 0;
    case '<=':
      return compare(a, b) <= 0;
    case '>':
      return compare(a, b) > 0;
    case '>=':
      return compare(a, b) >= 0;
    case '+':
      if (a === null) return b;
      if (b === null) return a;
      if (typeof a === 'number' && typeof b === 'number') return a + b;
      if (typeof a === 'string' && typeof b === 'string') return a + b;
      if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
      if (a instanceof Map && b instanceof Map) return new Map([...a, ...b]);
      throw cannot(a, b, 'added');
    case '-':
      if (typeof a === 'number' && typeof b === 'number') return a - b;
      if (Array.isArray(a) && Array.isArray(b))
        return a.filter((item) => !b.some((other) => compare(item, other) === 0));
      throw cannot(a, b, 'subtracted');
    case '*':
      if (typeof a === 'number' && typeof b === 'number') return a * b;
      if (typeof a === 'string' && typeof b === 'number')
        return b <= 0 ? null : a.repeat(Math.max(1, Math.ceil(b)));
      if (typeof a === 'number' && typeof b === 'string') return operate(op, b, a);
      if (a instanceof Map && b instanceof Map) return merged(a, b);
      throw cannot(a, b, 'multiplied');
    case '/':
      if (typeof a === 'number' && typeof b === 'number') {
        if (b === 0) throw cannot(a, b, 'divided because the divisor is zero');
        return a / b;
      }
      if (typeof a === 'string' && typeof b === 'string') return a === '' ? [] : a.split(b);
      throw cannot(a, b, 'divided');
    case '%': {
      if (typeof a !== 'number' || typeof b !== 'number') throw cannot(a, b, 'divided');
      const by = Math.abs(Math.trunc(b));
      if (by === 0) throw cannot(a, b, 'divided because the divisor is zero');
      return Math.trunc(a) % by;
    }
  }
  throw new JqError(`unknown operator ${op}`);
}

function merged(a: JsonObject, b: JsonObject): JsonObject {
  const made = new Map(a);
  for (const [key, value] of b) {
    const before = made.get(key);
    made.set(key, before instanceof Map && value instanceof Map ? merged(before, value) : value);
  }
  return made;
}

function cannot(a: Json, b: Json, what: string): JqError {
  return new JqError(`${kind(a)} (${brief(a)}) and ${kind(b)} (${brief(b)}) cannot be ${what}`);
}
