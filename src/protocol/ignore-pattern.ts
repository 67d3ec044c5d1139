const CLASSES: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '!-/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  xdigit: '0-9a-fA-F',
};

/** One line of a `.gitignore`. */
export class IgnorePattern {
  /** The line as far as it counts, without blanks at its end. */
  readonly text: string;
  /** False for a line that begins with `!`, which includes again what an earlier pattern excluded. */
  readonly ignores: boolean;
  readonly #foldersOnly: boolean;
  /** True for a pattern without a slash, which is matched against the name, at any depth. */
  readonly #byName: boolean;
  readonly #regex: RegExp;

  private constructor(text: string, ignores: boolean, glob: string) {
    this.text = text;
    this.ignores = ignores;
    this.#foldersOnly = glob.endsWith('/');
    const bare = this.#foldersOnly ? glob.slice(0, -1) : glob;
    this.#byName = !bare.includes('/');
    this.#regex = new RegExp(`^${sourceOf(bare.replace(/^\//, ''))}$`, 's');
  }

  /** Parses a line. Null for a comment, an empty line, and a pattern that can match nothing. */
  static parse(line: string): IgnorePattern | null {
    const text = line.replace(/\r$/, '').replace(/(?<!\\)((?:\\\\)*) +$/, '$1');
    if (text === '' || text.startsWith('#')) return null;
    const ignores = !text.startsWith('!');
    const glob = ignores ? text : text.slice(1);
    if (glob === '' || glob === '/') return null;
    try {
      return new IgnorePattern(text, ignores, glob);
    } catch (error) {
      // git and ripgrep ignore a pattern with an unclosed class or a backslash at the end.
      if (error instanceof SyntaxError) return null;
      throw error;
    }
  }

  /** `relative` is the path from the folder of the ignore file. */
  matches(relative: string, isDirectory: boolean): boolean {
    if (this.#foldersOnly && !isDirectory) return false;
    return this.#regex.test(this.#byName ? relative.slice(relative.lastIndexOf('/') + 1) : relative);
  }
}

/** The source of a regular expression for a glob. Throws a SyntaxError for a glob that can match nothing. */
function sourceOf(glob: string): string {
  let source = '';
  for (let at = 0; at < glob.length;) {
    const rest = glob.slice(at);
    const [token, meaning] = deep(rest, at === 0 || glob[at - 1] === '/') ?? one(rest);
    source += meaning;
    at += token.length;
  }
  return source;
}

/** Handles `**` between slashes, or at an end, which matches any number of folders. */
function deep(rest: string, afterSlash: boolean): readonly [token: string, meaning: string] | undefined {
  if (!afterSlash) return undefined;
  if (rest === '**') return [rest, '.+'];
  return rest.startsWith('**/') ? ['**/', '(?:.+/)?'] : undefined;
}

function one(rest: string): readonly [token: string, meaning: string] {
  const [stars] = /^\*+/.exec(rest) ?? [];
  if (stars !== undefined) return [stars, '[^/]*'];
  const [first = ''] = rest;
  if (first === '?') return [first, '[^/]'];
  if (first === '[') return classOf(rest);
  if (first !== '\\') return [first, literal(first)];
  const [, escaped] = rest;
  if (escaped === undefined) throw new SyntaxError('a backslash at the end');
  return [first + escaped, literal(escaped)];
}

function classOf(rest: string): readonly [token: string, meaning: string] {
  const [token, negated, members = ''] = /^\[([!^]?)(\]?(?:\[:\w*:\]|\\.|[^\]\\])*)\]/s.exec(rest) ?? [];
  if (token === undefined) throw new SyntaxError('a class that is not closed');
  const source = members.replace(
    /\[:(\w*):\]|\\(.)|([^-])/gs,
    (_all, name?: string, escaped?: string, plain = '') => {
      if (name !== undefined) return CLASSES[name] ?? '';
      return literal(escaped ?? String(plain));
    },
  );
  return [token, negated ? `[^/${source}]` : `(?!/)[${source}]`];
}

function literal(character: string): string {
  return character.replace(/[\\^$.|?*+()[\]{}/-]/, '\\$&');
}
