import { Fatal } from '../kit/fatal.ts';

/** A JSON object whose members are not known yet. */
export type Json = Readonly<Record<string, unknown>>;

function unexpected(what: string): Fatal {
  return new Fatal(`GitHub answered something unexpected (${what}). Run the command again.`);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown, what = 'no object'): Json {
  if (!isObject(value)) throw unexpected(what);
  return value;
}

export function listOf(value: unknown, what = 'no list'): readonly Json[] {
  if (!Array.isArray(value)) throw unexpected(what);
  return value.map((each) => objectOf(each, what));
}

export function textOf(value: unknown, what = 'no text'): string {
  if (typeof value !== 'string') throw unexpected(what);
  return value;
}

export function oidOf(value: unknown): string {
  const text = textOf(value, 'no object id');
  if (!/^[0-9a-f]{40}$/.test(text)) throw unexpected('no object id');
  return text;
}
