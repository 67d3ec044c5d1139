/** A line of a text: `end` is past its last character, `\r` left out; `next` is where the next line starts. */
export interface Line {
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/** The first matching line that starts at or after `from`. */
export type LineFinder = (text: string, from: number) => Line | null;

/**
 * Finds matching lines by one run of the expression over the whole text: ten times faster than line by line. A match
 * there may cross lines, so that each line it begins on is asked again alone. Lookarounds can make the whole text say
 * no where the line alone says yes; expressions that hold one are asked line by line.
 */
export function lineFinder(pattern: string, ignoreCase: boolean): LineFinder {
  const flags = ignoreCase ? 'i' : '';
  const alone = compile(pattern, flags);
  if (/\(\?<?[=!]/.test(pattern)) return (text, from) => lineByLine(alone, text, from);
  const whole = compile(pattern, `${flags}gm`);
  return (text, from) => {
    for (let at = from; at <= text.length;) {
      whole.lastIndex = at;
      const match = whole.exec(text);
      if (!match) return null;
      const start = match.index === 0 ? 0 : text.lastIndexOf('\n', match.index - 1) + 1;
      const line = lineAt(text, Math.max(start, at));
      if (isLine(text, line.start) && alone.test(text.slice(line.start, line.end))) return line;
      at = line.next;
    }
    return null;
  };
}

function lineByLine(alone: RegExp, text: string, from: number): Line | null {
  for (let at = from; isLine(text, at);) {
    const line = lineAt(text, at);
    if (alone.test(text.slice(line.start, line.end))) return line;
    at = line.next;
  }
  return null;
}

/** What follows the last line break is a line only if there is something. */
function isLine(text: string, start: number): boolean {
  return start < text.length;
}

function lineAt(text: string, start: number): Line {
  const at = text.indexOf('\n', start);
  const stop = at === -1 ? text.length : at;
  const end = stop > start && text[stop - 1] === '\r' ? stop - 1 : stop;
  return { start, end, next: stop + 1 };
}

/** Unicode-aware only where the pattern asks for it: that mode refuses needless escapes, which models write. */
function compile(pattern: string, flags: string): RegExp {
  return new RegExp(pattern, /\\p\{|\\u\{|[\ud800-\udfff]/i.test(pattern) ? `${flags}u` : flags);
}
