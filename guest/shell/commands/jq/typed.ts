import { brief, JqError, kind, type Json } from './json.ts';

export function wrong(value: Json, what: string): JqError {
  return new JqError(`${kind(value)} (${brief(value)}) ${what}`);
}

export function listOf(value: Json, what: string): Json[] {
  if (Array.isArray(value)) return value;
  throw wrong(value, what);
}

export function stringOf(value: Json, what = 'is not a string'): string {
  if (typeof value === 'string') return value;
  throw wrong(value, what);
}

export function numberOf(value: Json, what = 'number required'): number {
  if (typeof value === 'number') return value;
  throw wrong(value, what);
}
