import { JqError, type Json } from './json.ts';
import { stringOf } from './typed.ts';

export function regexOf(pattern: Json, flags: Json): { readonly regex: RegExp; readonly global: boolean } {
  const [source, given] = Array.isArray(pattern)
    ? [pattern[0] ?? null, pattern[1] ?? null]
    : [pattern, flags];
  const letters = given === null ? '' : stringOf(given);
  let text = stringOf(source, 'cannot be matched, as it is not a string').replace(
    /\(\?<([A-Za-z_]\w*)>/g,
    '(?<$1>',
  );
  if (letters.includes('x'))
    text = text.replace(/\\[^]|\[[^\]]*\]|\s+|#.*/g, (part) => (/^(\s|#)/.test(part) ? '' : part));
  const all = letters.includes('g');
  try {
    return {
      regex: new RegExp(text, `gu${letters.includes('i') ? 'i' : ''}${letters.includes('s') ? 's' : ''}`),
      global: all,
    };
  } catch {
    throw new JqError(`${text} (at offset 0) is not a valid regex`);
  }
}

export function* matches(input: Json, pattern: Json, flags: Json): Generator<Json, void, undefined> {
  const text = stringOf(input, 'cannot be matched, as it is not a string');
  const { regex, global } = regexOf(pattern, flags);
  const place = (at: number) => [...text.slice(0, at)].length;
  for (const hit of text.matchAll(new RegExp(regex.source, `${regex.flags}d`))) {
    const indices = hit.indices;
    const names = Object.entries(indices?.groups ?? {});
    const captures = hit.slice(1).map((group: string | undefined, at): Json => {
      const span = indices?.[at + 1];
      const name =
        names.find(([, other]) => other !== undefined && other === span)?.[0] ?? groupName(regex.source, at);
      return new Map<string, Json>([
        ['offset', span ? place(span[0]) : -1],
        ['length', [...(group ?? '')].length],
        ['string', group ?? null],
        ['name', name ?? null],
      ]);
    });
    yield new Map<string, Json>([
      ['offset', place(hit.index)],
      ['length', [...hit[0]].length],
      ['string', hit[0]],
      ['captures', captures],
    ]);
    if (!global) return;
  }
}

/** The name of the group with this index, counted from 0. */
function groupName(source: string, wanted: number): string | undefined {
  let at = -1;
  for (const [, name] of source
    .replace(/\\[^]|\[(?:\\[^]|[^\]])*\]/g, '')
    .matchAll(/\((?!\?(?!<[A-Za-z_]))(?:\?<(\w+)>)?/g))
    if (++at === wanted) return name;
  return undefined;
}
