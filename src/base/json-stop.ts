const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const PLAIN = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** What has to come next: `end` is a comma or the end of what is open; `first` may also be that end. */
type Next = 'value' | 'first' | 'key' | 'colon' | 'end';

/**
 * Says where a text stops being JSON, both counted from 1; `null` if it is JSON. The errors of `JSON.parse` have no
 * place in some browsers.
 */
export function jsonStop(text: string): { readonly line: number; readonly character: number } | null {
  const at = stopOf(text);
  if (at === null) return null;
  const before = text.slice(0, at).split('\n');
  return { line: before.length, character: (before.at(-1)?.length ?? 0) + 1 };
}

function stopOf(text: string): number | null {
  const open: ('[' | '{')[] = [];
  let next: Next = 'value';
  let at = 0;
  const takes = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  for (;;) {
    takes(SPACE);
    if (next === 'end' && open.length === 0) return at === text.length ? null : at;
    const sign = text.charAt(at);
    const after = afterSign(sign, next, open);
    if (after) {
      at++;
      next = after;
    } else if (next === 'key' || (next === 'first' && open.at(-1) === '{')) {
      if (!takes(STRING)) return at;
      next = 'colon';
    } else if ((next === 'value' || next === 'first') && (takes(STRING) || takes(PLAIN))) next = 'end';
    else return at;
  }
}

/** What comes after a bracket, comma or colon; `undefined` if the sign may not stand here. */
function afterSign(sign: string, next: Next, open: ('[' | '{')[]): Next | undefined {
  const inner = open.at(-1);
  if (sign === ':' && next === 'colon') return 'value';
  if (sign === ',' && next === 'end') return inner === '{' ? 'key' : 'value';
  if ((next === 'end' || next === 'first') && sign === (inner === '{' ? '}' : ']')) {
    open.pop();
    return 'end';
  }
  const isValue = next === 'value' || (next === 'first' && inner === '[');
  if ((sign !== '[' && sign !== '{') || !isValue) return undefined;
  open.push(sign);
  return 'first';
}
