/** What a pattern of fnmatch means: `*` and `?` take slashes too. */
export function globRegex(glob: string, ignoreCase = false): RegExp {
  let source = '';
  for (let at = 0; at < glob.length; at++) {
    const char = glob.charAt(at);
    if (char === '*') source += '[^]*';
    else if (char === '?') source += '[^]';
    else if (char === '\\' && at + 1 < glob.length) source += quoted(glob.charAt(++at));
    else if (char === '[') {
      const [set, end] = bracket(glob, at);
      source += set;
      at = end;
    } else source += quoted(char);
  }
  return new RegExp(`^${source}$`, ignoreCase ? 'ui' : 'u');
}

function quoted(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}

const CLASSES: Readonly<Record<string, string>> = {
  alpha: '\\p{L}',
  digit: '0-9',
  alnum: '\\p{L}\\p{N}',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`\\{-~',
  xdigit: '0-9A-Fa-f',
};

function bracket(glob: string, start: number): [source: string, end: number] {
  let at = start + 1;
  const negated = glob[at] === '!' || glob[at] === '^';
  if (negated) at++;
  let set = '';
  for (let isFirst = true; at < glob.length; at++, isFirst = false) {
    const char = glob.charAt(at);
    if (char === ']' && !isFirst) return [`[${negated ? '^' : ''}${set}]`, at];
    const named = /^\[:(\w+):\]/.exec(glob.slice(at));
    if (named) {
      set += CLASSES[named[1] ?? ''] ?? '';
      at += named[0].length - 1;
    } else if (char === '\\' && at + 1 < glob.length) set += `\\${glob.charAt(++at)}`;
    else if (char === '-' && !isFirst && glob[at + 1] !== ']') set += '-';
    else set += /[\\\][^$.*+?(){}|/-]/.test(char) ? `\\${char}` : char;
  }
  return ['\\[', start];
}
