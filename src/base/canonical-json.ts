import { isObject, type Json, type JsonObject } from './json.ts';

/** Gives the same text for equal values, whatever the order of the members of their objects. */
export function canonicalJson(value: Json, indent?: number): string {
  return JSON.stringify(value, (_name, each: Json) => (isObject(each) ? sorted(each) : each), indent);
}

function sorted(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
