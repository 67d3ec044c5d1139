/**
 * Expands the braces of a word in its written form, such as `a{1..2}{x,"y"}`. A word without braces gives
 * itself.
 */
export function expandBraces(text: string): string[] {
  for (let at = 0; at < text.length; at = after(text, at)) {
    if (text.charAt(at) !== '{') continue;
    const found = group(text, at);
    if (!found) continue;
    const before = text.slice(0, at);
    const rest = expandBraces(text.slice(found.end + 1));
    return found.items.flatMap((item) => rest.map((tail) => before + item + tail));
  }
  return [text];
}

/** The position after the character or quoted part that starts at `at`. */
function after(text: string, at: number): number {
  const char = text.charAt(at);
  if (char === '\\') return at + 2;
  if (char === "'") return past(text, at + 1, "'", false);
  if (char === '"' || char === '`') return past(text, at + 1, char, true);
  if (char === '$') {
    const next = text.charAt(at + 1);
    if (next === "'") return past(text, at + 2, "'", true);
    if (next === '(') return nested(text, at + 1, '(', ')');
    if (next === '{') return nested(text, at + 1, '{', '}');
  }
  if ((char === '<' || char === '>') && text.charAt(at + 1) === '(') return nested(text, at + 1, '(', ')');
  return at + 1;
}

function past(text: string, from: number, mark: string, escapes: boolean): number {
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (escapes && char === '\\') at++;
    else if (char === mark) return at + 1;
  }
  return text.length;
}

function nested(text: string, open: number, from: string, to: string): number {
  let level = 0;
  for (let at = open; at < text.length;) {
    const char = text.charAt(at);
    if (char === from) level++;
    if (char === to && --level === 0) return at + 1;
    at = char === from ? at + 1 : after(text, at);
  }
  return text.length;
}

function group(text: string, open: number): { readonly items: string[]; readonly end: number } | undefined {
  let level = 0;
  const cuts = [open];
  for (let at = open; at < text.length; at = after(text, at)) {
    const char = text.charAt(at);
    if (char === '{') level++;
    else if (char === ',' && level === 1) cuts.push(at);
    else if (char === '}' && --level === 0) {
      if (cuts.length === 1) {
        const items = sequence(text.slice(open + 1, at));
        return items && { items, end: at };
      }
      cuts.push(at);
      const parts = cuts.slice(1).map((cut, index) => text.slice((cuts[index] ?? 0) + 1, cut));
      return { items: parts.flatMap(expandBraces), end: at };
    }
  }
  return undefined;
}

const MOST = 1_000_000;

function sequence(text: string): string[] | undefined {
  const [, from, to, by] = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const letters = /[A-Za-z]/.test(from);
  if (letters !== /[A-Za-z]/.test(to)) return undefined;
  const start = letters ? from.charCodeAt(0) : Number(from);
  const end = letters ? to.charCodeAt(0) : Number(to);
  const step = Math.max(1, Math.abs(Number(by ?? 1)));
  const padded = !letters && [from, to].some((word) => /^-?0\d/.test(word));
  const width = padded ? Math.max(from.length, to.length) : 0;
  const items: string[] = [];
  const count = Math.floor(Math.abs(end - start) / step) + 1;
  if (count > MOST) return undefined;
  for (let index = 0; index < count; index++) {
    const value = start + (end >= start ? step : -step) * index;
    if (letters) items.push(String.fromCharCode(value));
    else
      items.push(
        value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0'),
      );
  }
  return items;
}
