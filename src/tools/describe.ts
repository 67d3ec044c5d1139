import type { JsonObject } from '../base/json.ts';
import { ROOT } from '../base/places.ts';

/** A call as far as it is known: while the model writes it, `input` is incomplete. */
export interface DescribedCall {
  readonly input: JsonObject;
  readonly title?: string;
  readonly metadata: JsonObject;
}

/** Follows the verb in the head of a call's card. */
export interface Description {
  readonly subject: string;
  /** Follows the subject, for example `in src`. */
  readonly detail?: string;
}

/** Describes the calls of a tool for which the arguments of its card are not enough. */
export type Describe = (call: DescribedCall) => Description;

/** The first of these arguments that is a text and not empty. */
export function firstText(input: JsonObject, keys: readonly string[]): string {
  for (const key of keys) {
    const value = input[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

/** Shortens an absolute path inside the workspace. */
export function trimRoot(path: string): string {
  return path.startsWith(`${ROOT}/`) ? path.slice(ROOT.length + 1) || path : path;
}
