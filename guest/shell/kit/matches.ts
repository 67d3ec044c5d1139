/**
 * Calls `visit` for every match from left to right until it answers false. As in sed and awk, an empty match
 * directly after another match does not count. The expression has to be global.
 */
export function eachMatch(text: string, regex: RegExp, visit: (hit: RegExpExecArray) => boolean): void {
  let previousEnd = -1;
  regex.lastIndex = 0;
  for (let hit = regex.exec(text); hit; hit = regex.exec(text)) {
    const end = hit.index + hit[0].length;
    const isNone = hit[0] === '' && hit.index === previousEnd;
    if (!isNone && !visit(hit)) return;
    previousEnd = end;
    if (hit[0] !== '') continue;
    if (end >= text.length) return;
    regex.lastIndex = placeAfter(text, end);
  }
}

/**
 * Where to continue after an empty match. From the middle of a surrogate pair, a regular expression would go
 * back to its start.
 */
export function placeAfter(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}
