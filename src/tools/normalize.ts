import { isObject, type JsonObject } from '../base/json.ts';
import type { Ask, Subject } from '../permissions/types.ts';
import type { AskInput } from './tool.ts';

/** Normalizes the argument of `metadata()` to `{title, metadata}`, with every other key merged into the metadata. */
export function normalizeProgress(update: JsonObject): JsonObject {
  const { title, metadata, ...rest } = update;
  const merged = isObject(metadata) ? { ...metadata, ...rest } : rest;
  const titled = typeof title === 'string';
  const all = titled || title === undefined ? merged : { ...merged, title };
  return { ...(titled && { title }), ...(Object.keys(all).length > 0 && { metadata: all }) };
}

/** Normalizes the argument of `ask()`. */
export function normalizeAsk(ask: Ask | AskInput): Ask {
  if ('subject' in ask) return ask;
  if ('permission' in ask) {
    const { permission, patterns, always = [], metadata = {} } = ask;
    return { permission, patterns, always, subject: subjectOf(metadata) };
  }
  const patterns = ask.action === undefined ? [] : [ask.action];
  return { permission: ask.tool, patterns, always: patterns, subject: subjectOf(ask.params ?? {}) };
}

function subjectOf(metadata: JsonObject): Subject {
  const { command, filepath, diff } = metadata;
  if (typeof command === 'string') return { kind: 'command', command };
  if (typeof filepath === 'string' && typeof diff === 'string') return { kind: 'diff', path: filepath, diff };
  return { kind: 'input', input: metadata };
}
