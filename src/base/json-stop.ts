import { visit } from 'jsonc-parser';

/**
 * Says where a text stops being JSON, both counted from 1; `null` if it is JSON. The errors of `JSON.parse` have no
 * place in some browsers.
 */
export function jsonStop(text: string): { readonly line: number; readonly character: number } | null {
  const stops: { readonly line: number; readonly character: number }[] = [];
  visit(
    text,
    {
      onError: (_error, _offset, _length, line, character) =>
        stops.push({ line: line + 1, character: character + 1 }),
    },
    { disallowComments: true },
  );
  return stops[0] ?? null;
}
