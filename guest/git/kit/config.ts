import { Fatal } from './fatal.ts';
import { folderOf, type Files } from './files.ts';

export interface Setting {
  /** Section and name in lower case, the subsection as it is: `remote.origin.url`. */
  readonly key: string;
  readonly value: string;
  /** The place it comes from, such as `file:.git/config`. */
  readonly origin: string;
}

interface Line {
  readonly text: string;
  readonly section: string;
  readonly key?: string;
  readonly value?: string;
}

/** The settings of all files in the order in which later ones win. */
export class Config {
  readonly all: readonly Setting[];

  constructor(all: readonly Setting[]) {
    this.all = all;
  }

  get(key: string): string | undefined {
    const wanted = normalKey(key);
    return this.all.findLast((setting) => setting.key === wanted)?.value;
  }

  getAll(key: string): string[] {
    const wanted = normalKey(key);
    return this.all.filter((setting) => setting.key === wanted).map(({ value }) => value);
  }

  flag(key: string): boolean | undefined {
    const value = this.get(key);
    return value === undefined ? undefined : isTrue(value, key);
  }

  /** The subsections of a section, such as the names of the remotes. */
  names(section: string): string[] {
    const found = this.all.flatMap(({ key }) => {
      const name = key.startsWith(`${section}.`) ? key.slice(section.length + 1, key.lastIndexOf('.')) : '';
      return name === '' ? [] : [name];
    });
    return [...new Set(found)];
  }
}

export function isTrue(value: string, key: string): boolean {
  if (/^(true|yes|on|[1-9]\d*)$/i.test(value)) return true;
  if (/^(false|no|off|0|)$/i.test(value)) return false;
  throw new Fatal(`bad boolean config value '${value}' for '${key}'`);
}

/** Section and name are compared without regard to case, the subsection between them is not. */
export function normalKey(key: string): string {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  if (first < 0) return key.toLowerCase();
  return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase();
}

/** Reads the text of a settings file line by line, so that it can be changed without losing comments. */
function linesOf(text: string, origin: string): Line[] {
  const lines: Line[] = [];
  let section = '';
  const physical = text.split('\n');
  if (physical.at(-1) === '') physical.pop();
  for (let at = 0; at < physical.length; at++) {
    let line = physical[at] ?? '';
    while (/(^|[^\\])(\\\\)*\\$/.test(line) && at + 1 < physical.length) line += `\n${physical[++at] ?? ''}`;
    const head = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/s.exec(line);
    let rest = line;
    if (head) {
      const [, name = '', sub, after = ''] = head;
      section = name.toLowerCase() + (sub === undefined ? '' : `.${sub.replace(/\\(.)/g, '$1')}`);
      rest = after;
      if (/^\s*([#;].*)?$/.test(rest)) {
        lines.push({ text: line, section });
        continue;
      }
    }
    if (/^\s*([#;].*)?$/.test(rest)) {
      lines.push({ text: line, section });
      continue;
    }
    const [, name, assigned] = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/s.exec(rest) ?? [];
    if (name === undefined || section === '') throw new Fatal(`bad config line ${at + 1} in ${origin}`);
    const value = assigned === undefined ? 'true' : valueOf(assigned);
    lines.push({ text: line, section, key: `${section}.${name.toLowerCase()}`, value });
  }
  return lines;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  b: '\b',
  '"': '"',
  '\\': '\\',
  '\n': '',
};

function valueOf(text: string): string {
  let value = '';
  let kept = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') value += ESCAPES[text.charAt(++at)] ?? '';
    else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === '#' || char === ';')) break;
    else value += char;
    if (isQuoted || !/\s/.test(char)) kept = value.length;
  }
  return value.slice(0, kept);
}

function quoted(value: string): string {
  const escaped = value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return /^\s|\s$|[#;]/.test(value) ? `"${escaped}"` : escaped;
}

/** Reads a settings file and the files that it includes. */
export async function readSettings(
  files: Files,
  path: string,
  origin: string,
  depth = 0,
): Promise<Setting[]> {
  const text = await files.text(path);
  if (text === undefined) return [];
  const found: Setting[] = [];
  for (const { key, value } of linesOf(text, origin)) {
    if (key === undefined || value === undefined) continue;
    found.push({ key, value, origin });
    if (key !== 'include.path' || depth > 9) continue;
    const included = value.startsWith('~/')
      ? value
      : value.startsWith('/')
        ? value
        : `${folderOf(path)}/${value}`;
    found.push(...(await readSettings(files, included, `file:${included}`, depth + 1)));
  }
  return found;
}

/** Changes one settings file; all values are given to a setting's own line, and comments stay. */
export class ConfigFile {
  readonly #files: Files;
  readonly #path: string;

  constructor(files: Files, path: string) {
    this.#files = files;
    this.#path = path;
  }

  async #lines(): Promise<Line[]> {
    return linesOf((await this.#files.text(this.#path)) ?? '', this.#path);
  }

  async #save(lines: readonly Pick<Line, 'text'>[]): Promise<void> {
    await this.#files.write(this.#path, lines.map(({ text }) => `${text}\n`).join(''));
  }

  async settings(): Promise<Setting[]> {
    return (await this.#lines()).flatMap(({ key, value }) =>
      key === undefined || value === undefined ? [] : [{ key, value, origin: `file:${this.#path}` }],
    );
  }

  /** Replaces the only value of a setting, or adds one. Answers false where it has several. */
  async set(key: string, value: string, mode: 'one' | 'all' | 'add' = 'one'): Promise<boolean> {
    const lines = await this.#lines();
    const wanted = normalKey(key);
    const name = key.slice(key.lastIndexOf('.') + 1);
    const section = wanted.slice(0, wanted.lastIndexOf('.'));
    const made = { text: `\t${name} = ${quoted(value)}`, section };
    const present = lines.filter((line) => line.key === wanted);
    if (mode !== 'add' && present.length > 0) {
      if (present.length > 1 && mode === 'one') return false;
      const last = present.at(-1);
      await this.#save(
        lines.flatMap((line) =>
          line === last ? [replaced(line, made.text)] : line.key === wanted ? [] : [line],
        ),
      );
      return true;
    }
    const after = lines.findLastIndex((line) => line.section === section && line.text.trim() !== '');
    if (after >= 0) lines.splice(after + 1, 0, made);
    else lines.push({ text: headOf(key.slice(0, key.lastIndexOf('.'))), section }, made);
    await this.#save(lines);
    return true;
  }

  /** Answers how many values were removed. */
  async unset(key: string): Promise<number> {
    const wanted = normalKey(key);
    const lines = await this.#lines();
    const left = lines.filter((line) => line.key !== wanted);
    const section = wanted.slice(0, wanted.lastIndexOf('.'));
    const isEmpty = left.every((line) => line.section !== section || /^\s*\[/.test(line.text));
    await this.#save(isEmpty ? left.filter((line) => line.section !== section) : left);
    return lines.length - left.length;
  }

  /** Removes a section, or gives it another name. Answers false where it is not there. */
  async section(from: string, to: string | undefined): Promise<boolean> {
    const lines = await this.#lines();
    if (!lines.some(({ section }) => section === from)) return false;
    await this.#save(
      lines.flatMap((line) => {
        if (line.section !== from) return [line];
        if (to === undefined) return [];
        return /^\s*\[/.test(line.text) ? [{ text: headOf(to) }] : [line];
      }),
    );
    return true;
  }
}

/** A setting may stand on the line of its section. */
function replaced(line: Line, text: string): Pick<Line, 'text'> {
  const [, head] = /^(\s*\[[^\]]*\])\s*\S/.exec(line.text) ?? [];
  return { text: head === undefined ? text : `${head}\n${text}` };
}

function headOf(section: string): string {
  const dot = section.indexOf('.');
  if (dot < 0) return `[${section}]`;
  return `[${section.slice(0, dot)} "${section.slice(dot + 1).replace(/[\\"]/g, '\\$&')}"]`;
}
