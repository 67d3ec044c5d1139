import { inOrder, type Attribute, type Variable } from './variables.ts';

/**
 * Quotes a word so that it can be typed again: the way `%q` does, or in quotes like `${x@Q}` and `declare
 * -p`.
 */
export function quoteWord(text: string, inQuotes = false): string {
  if (/[\x00-\x1f\x7f\udc80-\udcff]/.test(text) && (!inQuotes || hasControl(text))) return ansiQuoted(text);
  if (inQuotes) return singleQuoted(text);
  if (text === '') return "''";
  return text
    .replace(/[^\w@%+=:./-]/gu, (char) => ((char.codePointAt(0) ?? 0) > 127 ? char : `\\${char}`))
    .replace(/^~/, '\\~');
}

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function hasControl(text: string): boolean {
  return /[\x00-\x1f\x7f]|(?<![\ud800-\udbff])[\udc80-\udcff]/.test(text);
}

const SHORT: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\x1b': '\\E',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  "'": "\\'",
};

function ansiQuoted(text: string): string {
  let quoted = '';
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (SHORT[char] !== undefined) quoted += SHORT[char];
    else if (code < 32 || code === 127) quoted += `\\${code.toString(8).padStart(3, '0')}`;
    else if (code >= 0xdc80 && code <= 0xdcff) quoted += `\\${(code - 0xdc00).toString(8)}`;
    else quoted += char;
  }
  return `$'${quoted}'`;
}

const LETTERS: readonly (readonly [Attribute, string])[] = [
  ['integer', 'i'],
  ['lower', 'l'],
  ['nameref', 'n'],
  ['readonly', 'r'],
  ['upper', 'u'],
  ['exported', 'x'],
];

export function attributeLetters(variable: Variable): string {
  const kind = variable.map ? 'A' : variable.list ? 'a' : '';
  return kind + LETTERS.flatMap(([name, letter]) => (variable.attributes.has(name) ? [letter] : [])).join('');
}

/** Writes `declare -x name="value"`; `inSingle` selects the form of `${name@A}`. */
export function declaration(name: string, variable: Variable, inSingle = false): string {
  const letters = attributeLetters(variable);
  if (variable.map || variable.list) {
    const entries: [string, string][] = [];
    if (variable.map) entries.push(...inOrder(variable.map));
    else variable.list?.forEach((value, index) => entries.push([String(index), value]));
    const all = entries
      .map(([key, value]) => `[${variable.map ? keyWord(key) : key}]=${valueWord(value)}`)
      .join(' ');
    return `declare -${letters} ${name}=(${all}${variable.map && all ? ' ' : ''})`;
  }
  if (inSingle && letters === '') return `${name}=${quoteWord(variable.value ?? '', true)}`;
  const flags = `declare -${letters || '-'} ${name}`;
  if (variable.value === undefined) return flags;
  return `${flags}=${inSingle ? quoteWord(variable.value, true) : valueWord(variable.value)}`;
}

function keyWord(key: string): string {
  return /^[\w.@%+:,/-]+$/.test(key) ? key : valueWord(key);
}

export function valueWord(text: string): string {
  if (hasControl(text)) return ansiQuoted(text);
  return `"${text.replace(/[\\"$`]/g, '\\$&')}"`;
}
