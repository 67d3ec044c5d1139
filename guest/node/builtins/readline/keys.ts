/** A key, as listeners of `keypress` get it. `sequence` is everything that the terminal sent for it. */
export interface Key {
  readonly sequence: string;
  readonly name: string | undefined;
  readonly ctrl: boolean;
  readonly meta: boolean;
  readonly shift: boolean;
  /** The part of an escape sequence that identifies the key. */
  readonly code?: string;
}

const ESCAPE = '\x1b';

/** Units of the longest sequence, two escapes and `[[123;4x`, were all its characters of two units. */
const LONGEST = 20;

const group = (names: string, to: string, prefixes: readonly string[]): (readonly [string, string])[] =>
  names.split(' ').map((name, index) => [(prefixes[index] ?? '') + to, name] as const);
const each = (before: string, middles: string, after: string): string[] =>
  middles.split(' ').map((middle) => before + middle + after);

const ARROWS = 'up down right left clear';
const PADS = 'insert delete pageup pagedown home end';

/** The key codes of terminals: xterm, its vt220 and rxvt, the Linux console, Cygwin, PuTTY. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ...group('f1 f2 f3 f4', '', each('O', 'P Q R S', '')),
  ...group('f1 f2 f3 f4', '', each('[', 'P Q R S', '')),
  ...group('f1 f2 f3 f4 f5', '', each('[[', 'A B C D E', '')),
  ...group('f1 f2 f3 f4 f5', '~', each('[', '11 12 13 14 15', '')),
  ...group('f6 f7 f8 f9 f10 f11 f12', '~', each('[', '17 18 19 20 21 23 24', '')),
  ...group('paste-start paste-end', '~', each('[', '200 201', '')),
  ...group(`${ARROWS} end home`, '', each('[', 'A B C D E F H', '')),
  ...group(`${ARROWS} end home`, '', each('O', 'A B C D E F H', '')),
  ...group('home insert delete end pageup pagedown home end', '~', each('[', '1 2 3 4 5 6 7 8', '')),
  ...group('pageup pagedown', '~', each('[[', '5 6', '')),
]);
const SHIFTED: ReadonlyMap<string, string> = new Map([
  ...group(ARROWS, '', each('[', 'a b c d e', '')),
  ...group(PADS, '$', each('[', '2 3 5 6 7 8', '')),
  ['[Z', 'tab'],
]);
const WITH_CTRL: ReadonlyMap<string, string> = new Map([
  ...group(ARROWS, '', each('O', 'a b c d e', '')),
  ...group(PADS, '^', each('[', '2 3 5 6 7 8', '')),
]);

/**
 * The key that `text` begins with; `null` where more has to come to tell. `isAll`: nothing more comes, an escape is one
 * by itself. Characters of two units count as one.
 */
export function keyAt(text: string, isAll: boolean): Key | null {
  const chars = [...text.slice(0, LONGEST)];
  let at = 0;
  const next = (): string | null => chars[at++] ?? null;
  const first = next();
  if (first === null) return null;
  if (first !== ESCAPE) return characterKey(first, first, false);
  let char = next();
  if (char === ESCAPE) char = next();
  if (char === null) return isAll ? pressed(text, 'escape', { meta: true }) : null;
  if (char !== 'O' && char !== '[') return characterKey(chars.slice(0, at).join(''), char, true);
  const code = char === 'O' ? applicationCode(next) : controlCode(next);
  return code && namedKey(chars.slice(0, at).join(''), code);
}

interface Code {
  readonly code: string;
  /** 1 shift, 2 and 8 meta, 4 control. */
  readonly modifier: number;
}

/** `ESC O letter`, with a digit before the letter for what else is held. */
function applicationCode(next: () => string | null): Code | null {
  const first = next();
  if (first === null) return null;
  if (!isDigit(first)) return { code: `O${first}`, modifier: 0 };
  const letter = next();
  return letter === null ? null : { code: `O${letter}`, modifier: Number(first) - 1 };
}

/** `ESC [` with up to three digits, what is held behind a semicolon, and a last character; `[[` is the Linux console's. */
function controlCode(next: () => string | null): Code | null {
  let char = next();
  const start = char === '[' ? '[[' : '[';
  if (char === '[') char = next();
  let command = '';
  for (let digits = 0; digits < 3 && isDigit(char); digits++) {
    command += char;
    char = next();
  }
  if (char === ';') {
    command += char;
    char = next();
    if (isDigit(char)) {
      command += char;
      char = next();
    }
  }
  if (char === null) return null;
  command += char;
  const number = /^(?:(\d\d?)(?:;(\d))?([~^$])|(\d{3}~))$/.exec(command);
  if (number) {
    const [, key = '', held = '1', end = '', long] = number;
    return long === undefined
      ? { code: start + key + end, modifier: Number(held) - 1 }
      : { code: start + long, modifier: 0 };
  }
  const letter = /^(?:(?:\d;)?(\d))?([A-Za-z])$/.exec(command);
  if (letter) return { code: start + (letter[2] ?? ''), modifier: Number(letter[1] ?? '1') - 1 };
  return { code: start + command, modifier: 0 };
}

function isDigit(char: string | null): char is string {
  return char !== null && char >= '0' && char <= '9';
}

function namedKey(sequence: string, { code, modifier }: Code): Key {
  return {
    sequence,
    name: PLAIN.get(code) ?? SHIFTED.get(code) ?? WITH_CTRL.get(code) ?? 'undefined',
    ctrl: WITH_CTRL.has(code) || (modifier & 4) !== 0,
    meta: (modifier & 10) !== 0,
    shift: SHIFTED.has(code) || (modifier & 1) !== 0,
    code,
  };
}

/** The names of single characters. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['\r', 'return'],
  ['\n', 'enter'],
  ['\t', 'tab'],
  ['\b', 'backspace'],
  ['\x7f', 'backspace'],
  [ESCAPE, 'escape'],
  [' ', 'space'],
]);

function characterKey(sequence: string, char: string, isEscaped: boolean): Key {
  const name = NAMES.get(char);
  if (name !== undefined) return pressed(sequence, name, { meta: isEscaped });
  if (!isEscaped && char <= '\x1a')
    return pressed(sequence, String.fromCharCode(char.charCodeAt(0) + 96), { ctrl: true });
  if (/^[0-9A-Za-z]$/.test(char))
    return pressed(sequence, char.toLowerCase(), { shift: /[A-Z]/.test(char), meta: isEscaped });
  return pressed(sequence, undefined, { meta: isEscaped });
}

function pressed(
  sequence: string,
  name: string | undefined,
  { ctrl = false, meta = false, shift = false },
): Key {
  return { sequence, name, ctrl, meta, shift };
}
