import type { Json } from '../../base/json.ts';
import { MASK, isSecretName } from '../../base/secrets.ts';

const TEXT_CHARACTERS = 500;
/** How many characters are searched for secrets before the text is cut, so that no part of a secret remains. */
export const MASKED_CHARACTERS = 20_000;
const ITEMS = 50;
const LEVELS = 6;

/** Shortens arguments for the log: masks and cuts every text and name, and cuts long lists and deep trees. */
export function shortened(value: Json, mask: (text: string) => string, level = 0): Json {
  const short = (text: string) => cut(mask(text.slice(0, MASKED_CHARACTERS)), text.length);
  if (typeof value === 'string') return short(value);
  if (typeof value !== 'object' || value === null) return value;
  if (level === LEVELS) return '…';
  if (Array.isArray(value)) {
    const items = value.slice(0, ITEMS).map((each: Json) => shortened(each, mask, level + 1));
    return value.length > ITEMS ? [...items, `… ${value.length - ITEMS} more`] : items;
  }
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries
      .slice(0, ITEMS)
      .map(([name, each]) => [
        short(name),
        typeof each === 'string' && isSecretName(name) ? MASK : shortened(each, mask, level + 1),
      ]),
  );
}

function cut(text: string, whole: number): string {
  return text.length > TEXT_CHARACTERS || whole > MASKED_CHARACTERS
    ? `${text.slice(0, TEXT_CHARACTERS)}… (${whole} characters)`
    : text;
}
