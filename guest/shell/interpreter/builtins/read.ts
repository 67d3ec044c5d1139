import { decode } from '../../kit/io.ts';
import { ShellError } from '../errors.ts';
import { separatorsOf } from '../expand.ts';
import type { KeyboardMode } from '../../program.ts';
import { readLine } from '../reading.ts';
import type { Shell } from '../shell.ts';
import { wait, type Task } from '../task.ts';
import { flagsOf, number, words, type Builtin } from './builtin.ts';
import { parseReference } from '../reference.ts';

const USAGE =
  'read: usage: read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]';

export const read: Builtin = function* (shell, args) {
  const { on, values, rest } = flagsOf(words(args), 'ersa:d:i:n:N:p:t:u:', USAGE);
  const fd = Number(values.get('u') ?? 0);
  const file = shell.fds.get(fd);
  if (!file?.source) throw new ShellError(`${fd}: invalid file descriptor: Bad file descriptor`);
  const isTerminal = file.isTerminal;
  if (on.has('p') && isTerminal) yield* shell.print(values.get('p') ?? '', 2);
  const end = on.has('N') ? -1 : on.has('d') ? values.get('d')?.charCodeAt(0) || 0 : 10;
  const most = on.has('n') || on.has('N') ? number(values.get('N') ?? values.get('n') ?? '0') : Infinity;
  const raw = on.has('r');
  const seconds = values.get('t');
  if (seconds !== undefined && Number.isNaN(Number(seconds)))
    throw new ShellError(`${seconds}: invalid timeout specification`);
  for (const name of rest)
    if (!parseReference(name)) throw new ShellError(`\`${name}': not a valid identifier`);
  file.source.again?.();
  const typing =
    isTerminal && (on.has('s') || most !== Infinity || end !== 10)
      ? { raw: most !== Infinity || end !== 10, echo: !on.has('s') }
      : undefined;
  const got = yield* typed(
    shell,
    typing,
    seconds === undefined
      ? take(shell, fd, end, most, raw)
      : takeWithin(shell, fd, end, most, raw, Number(seconds)),
  );
  const { text, escaped, status } = got;
  store(shell, text, escaped, { array: values.get('a'), names: rest, whole: on.has('N') });
  return status;
};

/**
 * Reads with the keyboard in another mode. Keys that raw mode does not echo are shown once they have been
 * read.
 */
function* typed(shell: Shell, mode: KeyboardMode | undefined, taking: Task<ReadRecord>): Task<ReadRecord> {
  const keyboard = mode && shell.world.terminal?.keyboard;
  if (!keyboard) return yield* taking;
  const before = keyboard.mode;
  keyboard.setMode(mode);
  try {
    const got = yield* taking;
    if (mode.raw && mode.echo) yield* shell.print(got.text, 2);
    return got;
  } finally {
    keyboard.setMode(before);
  }
}

interface ReadRecord {
  /** The text without its delimiter and without escaping backslashes. */
  readonly text: string;
  /** The positions of escaped characters, which never separate fields. */
  readonly escaped: ReadonlySet<number>;
  readonly status: number;
}

function* take(shell: Shell, fd: number, end: number, most: number, raw: boolean): Task<ReadRecord> {
  const escaped = new Set<number>();
  let text = '';
  let pending = '';
  for (;;) {
    const left = most - [...text].length;
    if (left <= 0) return { text, escaped, status: 0 };
    const bytes = yield* readLine(shell, fd, end, left);
    if (bytes === null) return { text: text + pending, escaped, status: 1 };
    let line = pending + decode(bytes).replaceAll('\0', '');
    pending = '';
    const isEnded = end === 0 ? bytes.at(-1) === 0 : end >= 0 && bytes.at(-1) === end;
    if (isEnded && end !== 0) line = line.slice(0, -1);
    if (raw) {
      text += line;
      if (isEnded) return { text, escaped, status: 0 };
      continue;
    }
    let goesOn = false;
    for (let at = 0; at < line.length; at++) {
      const char = line.charAt(at);
      if (char !== '\\') text += char;
      else if (at + 1 < line.length) {
        at++;
        if (line.charAt(at) === '\n') continue;
        escaped.add(text.length);
        text += line.charAt(at);
      } else if (isEnded) goesOn = true;
      else pending = '\\';
    }
    if (isEnded && !goesOn) return { text, escaped, status: 0 };
  }
}

/** Reads what arrives within the time. */
function* takeWithin(
  shell: Shell,
  fd: number,
  end: number,
  most: number,
  raw: boolean,
  seconds: number,
): Task<ReadRecord> {
  const source = shell.fds.get(fd)?.source;
  if (!source) return { text: '', escaped: new Set(), status: 1 };
  const first = source.read();
  if (seconds === 0) {
    if (first instanceof Promise) {
      void first.then((bytes) => bytes && source.unread(bytes));
      return { text: '', escaped: new Set(), status: 1 };
    }
    if (first) source.unread(first);
    return { text: '', escaped: new Set(), status: first ? 0 : 1 };
  }
  if (!(first instanceof Promise)) {
    if (first) source.unread(first);
    return yield* take(shell, fd, end, most, raw);
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), seconds * 1000)));
  let isLate = false;
  const arrived = first.then((bytes) => {
    if (bytes) source.unread(bytes);
    return isLate ? 'late' : 'here';
  });
  const result = yield* wait(Promise.race([arrived, late]));
  clearTimeout(timer);
  if (result === 'here') return yield* take(shell, fd, end, most, raw);
  isLate = true;
  return { text: '', escaped: new Set(), status: 142 };
}

function store(
  shell: Shell,
  text: string,
  escaped: ReadonlySet<number>,
  to: { readonly array: string | undefined; readonly names: readonly string[]; readonly whole: boolean },
): void {
  if (to.array !== undefined) {
    shell.variables.makeArray(to.array, false, true);
    shell.variables.setList(to.array, split(shell, text, escaped, Infinity));
    return;
  }
  if (to.names.length === 0) {
    shell.variables.set('REPLY', text);
    return;
  }
  if (to.whole) {
    to.names.forEach((name, index) => set(shell, name, index === 0 ? text : ''));
    return;
  }
  const fields = split(shell, text, escaped, to.names.length);
  to.names.forEach((name, index) => set(shell, name, fields[index] ?? ''));
}

function set(shell: Shell, name: string, value: string): void {
  shell.variables.setReference(parseReference(name) ?? { name }, value);
}

/** Splits at separators into at most `most` fields; the last one takes the rest. */
function split(shell: Shell, text: string, escaped: ReadonlySet<number>, most: number): string[] {
  const separators = separatorsOf(shell);
  const isSeparator = (at: number) => separators.includes(text.charAt(at)) && !escaped.has(at);
  const isBlank = (at: number) => isSeparator(at) && ' \t\n'.includes(text.charAt(at));
  let [at, end] = [0, text.length];
  while (at < end && isBlank(at)) at++;
  while (end > at && isBlank(end - 1)) end--;
  if (separators === '') return at < end ? [text] : [];
  const fields: string[] = [];
  while (at < end) {
    if (fields.length === most - 1) {
      fields.push(
        lastField(
          text.slice(at, end),
          (index) => isSeparator(at + index),
          (index) => isBlank(at + index),
        ),
      );
      return fields;
    }
    const start = at;
    while (at < end && !isSeparator(at)) at++;
    fields.push(text.slice(start, at));
    while (at < end && isBlank(at)) at++;
    if (at < end && isSeparator(at) && !isBlank(at)) {
      // A separator that is not blank ends one field only.
      if (at > start || text.slice(start, at) === '') at++;
      while (at < end && isBlank(at)) at++;
    }
  }
  return fields;
}

/** Drops the separator at the end of the last field where it is the only one. */
function lastField(
  text: string,
  isSeparator: (at: number) => boolean,
  isBlank: (at: number) => boolean,
): string {
  const last = text.length - 1;
  if (!isSeparator(last) || isBlank(last)) return text;
  for (let at = 0; at < last; at++) if (isSeparator(at)) return text;
  return text.slice(0, last);
}

export const mapfile: Builtin = function* (shell, args) {
  const { on, values, rest } = flagsOf(
    words(args),
    'd:n:O:s:tu:C:c:',
    'mapfile: usage: mapfile [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]',
  );
  const name = rest[0] ?? 'MAPFILE';
  const fd = Number(values.get('u') ?? 0);
  if (!shell.fds.get(fd)?.source) throw new ShellError(`${fd}: invalid file descriptor: Bad file descriptor`);
  shell.fds.get(fd)?.source?.again?.();
  const end = on.has('d') ? values.get('d')?.charCodeAt(0) || 0 : 10;
  const most = number(values.get('n') ?? '0') || Infinity;
  let skip = number(values.get('s') ?? '0');
  const origin = number(values.get('O') ?? '0');
  const quantum = number(values.get('c') ?? '5000');
  const callback = values.get('C');
  const list: string[] = on.has('O')
    ? (shell.variables.makeArray(name, false).list ?? [])
    : (shell.variables.makeArray(name, false, true).list ?? []);
  for (let index = origin; index - origin < most;) {
    const bytes = yield* readLine(shell, fd, end);
    if (bytes === null) break;
    if (skip > 0) {
      skip--;
      continue;
    }
    let line = decode(bytes);
    if (end === 0 ? line.endsWith('\0') : on.has('t') && bytes.at(-1) === end) line = line.slice(0, -1);
    list[index] = line;
    index++;
    if (callback !== undefined && (index - origin) % quantum === 0) {
      yield* shell.interpreter.invoke(shell, [...callback.split(/\s+/), String(index - 1), line]);
    }
  }
  return 0;
};
