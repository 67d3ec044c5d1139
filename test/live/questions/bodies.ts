import { isObject, type JsonObject } from '../../../src/base/json.ts';
import { parseJson } from '../../../src/models/error-bodies.ts';

/** The object in an answer; an empty one where there is none. */
export function objectIn(text: string): JsonObject {
  const value: unknown = parseJson(text);
  return isObject(value) ? value : {};
}

/** The objects of the list that an answer has under this name. */
export function listIn(text: string, name: string): readonly JsonObject[] {
  const list = objectIn(text)[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** The line of an output that says what went wrong. */
export function complaintIn(output: string): string {
  const lines = output.trim().split('\n');
  return lines.find((line) => /^(?:npm )?(?:error|fatal)\b/i.test(line)) ?? lines.at(-1) ?? '';
}
