import { isObject } from '../../base/json.ts';

/**
 * Returns the usable part of a value, `undefined` where there is none. `note` is called with the position of each thing
 * that was dropped because it is not understood.
 */
export type Repair = (value: unknown, note: (where: string) => void) => unknown;

const kind =
  (fits: (value: unknown) => boolean): Repair =>
  (value) =>
    value === null || fits(value) ? value : undefined;

export const text = kind((value) => typeof value === 'string');
export const number = kind((value) => typeof value === 'number');
export const flag = kind((value) => typeof value === 'boolean');

export const oneOf = (...values: readonly string[]): Repair =>
  kind((value) => typeof value === 'string' && values.includes(value));

/** Drops the value without a note: nothing reads it, and it may have any form. */
export const unused: Repair = () => undefined;

/** Uses `fallback` where nothing is usable. */
export const withDefault =
  (repair: Repair, fallback: unknown): Repair =>
  (value, note) =>
    (value === undefined ? undefined : repair(value, note)) ?? fallback;

/** An unusable value makes the object that contains it unusable as well. */
export function required(repair: Repair): Repair & { readonly isRequired: true } {
  return Object.assign<Repair, { readonly isRequired: true }>((value, note) => repair(value, note), {
    isRequired: true,
  });
}

/** Repairs the named fields and keeps the others as they are. */
export const object =
  (fields: Readonly<Record<string, Repair>>): Repair =>
  (value, note) => {
    if (value === null) return null;
    if (!isObject(value)) return undefined;
    const changed: Record<string, unknown> = {};
    for (const [name, repair] of Object.entries(fields)) {
      const was = value[name];
      let isNoted = repair === unused || was === undefined;
      const now = repair(was, (where) => {
        isNoted = true;
        note(`${name}.${where}`);
      });
      if (now === was) continue;
      if (now === undefined && 'isRequired' in repair) return undefined;
      if (!isNoted) note(name);
      changed[name] = now;
    }
    return Object.keys(changed).length === 0 ? value : { ...value, ...changed };
  };

/** Drops the items that are unusable. */
export const list =
  (repair: Repair): Repair =>
  (value, note) => {
    if (value === null) return null;
    if (!Array.isArray(value)) return undefined;
    const items = value.map((item: unknown) => repair(item, note));
    if (items.every((item, index) => item === value[index])) return value;
    return items.filter((item, index) => {
      if (item === undefined) note(String(index));
      return item !== undefined;
    });
  };

/** Selects the repair by the text of the field `key`; a value with any other text is dropped. */
export const byField =
  (key: string, repairs: Readonly<Record<string, Repair>>): Repair =>
  (value, note) => {
    const name = isObject(value) ? value[key] : undefined;
    if (typeof name !== 'string' || !Object.hasOwn(repairs, name)) return undefined;
    return repairs[name]?.(value, note);
  };

export const unchanged: Repair = (value) => value;

/** Treats `null` as absent. */
export const nullAsAbsent =
  (repair: Repair): Repair =>
  (value, note) =>
    value === null ? undefined : repair(value, note);
