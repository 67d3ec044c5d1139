import type { ByteSource } from '../../program.ts';
import {
  eachInput,
  encode,
  lineBatches,
  nextPiece,
  optionsOf,
  readText,
  writing,
  type Writer,
} from '../../kit/io.ts';
import { valueOf } from '../../kit/options.ts';
import { posixRegex } from '../../kit/posix-regex.ts';

const SPEC = {
  short: 'AbeEnstTuv',
  long: [
    'show-all=A',
    'number-nonblank=b',
    'show-ends=E',
    'number=n',
    'squeeze-blank=s',
    'show-tabs=T',
    'show-nonprinting=v',
  ],
};

export const cat = writing(async (call, out) => {
  const { has, operands } = optionsOf(call, SPEC);
  const shows = {
    numbers: has.has('b') ? 'filled' : has.has('n') ? 'all' : 'none',
    squeezes: has.has('s'),
    ends: ['A', 'e', 'E'].some((name) => has.has(name)),
    tabs: ['A', 't', 'T'].some((name) => has.has(name)),
    controls: ['A', 'e', 't', 'v'].some((name) => has.has(name)),
  };
  const isPlain = [...has].every((name) => name === 'u');
  const state = { number: 0, blank: false };
  return eachInput(call, operands, async (source) => {
    if (!isPlain) return shown(source, out, shows, state);
    for (let piece = await nextPiece(source, out); piece; piece = await nextPiece(source, out))
      await call.stdout.write(piece);
  });
});

interface Shows {
  readonly numbers: string;
  readonly squeezes: boolean;
  readonly ends: boolean;
  readonly tabs: boolean;
  readonly controls: boolean;
}

async function shown(
  source: ByteSource,
  out: Writer,
  shows: Shows,
  state: { number: number; blank: boolean },
): Promise<void> {
  for await (const { lines, ended } of lineBatches(source, out)) {
    for (const [at, line] of lines.entries()) {
      const isBlank = line === '';
      if (shows.squeezes && isBlank && state.blank) continue;
      state.blank = isBlank;
      const counts = shows.numbers === 'all' || (shows.numbers === 'filled' && !isBlank);
      const head = counts ? `${String(++state.number).padStart(6)}\t` : '';
      let text = shows.controls ? visible(line) : line;
      if (shows.tabs) text = text.replaceAll('\t', '^I');
      const hasEnd = ended || at < lines.length - 1;
      await out.write(`${head}${text}${hasEnd ? (shows.ends ? '$\n' : '\n') : ''}`);
    }
  }
}

/** Shows a line like `-v`: `^X` for control characters, `M-x` for bytes above ASCII. */
function visible(line: string): string {
  let text = '';
  for (const byte of encode(line)) {
    const low = byte & 0x7f;
    if (byte >= 0x80) text += 'M-';
    if (byte === 9) text += '\t';
    else if (low < 32) text += `^${String.fromCharCode(low + 64)}`;
    else text += low === 127 ? '^?' : String.fromCharCode(low);
  }
  return text;
}

/** Splits a text after each separator, or before it. */
function recordsOf(text: string, separator: string | RegExp, isBefore: boolean): string[] {
  const ends =
    typeof separator === 'string'
      ? placesOf(text, separator)
      : [...text.matchAll(separator)].map(({ index, 0: found }) => [index, index + found.length] as const);
  const records: string[] = [];
  let from = 0;
  for (const [start, end] of ends) {
    const cut = isBefore ? start : end;
    if (cut > from) records.push(text.slice(from, cut));
    from = Math.max(from, cut);
  }
  if (from < text.length) records.push(text.slice(from));
  return records;
}

/** Finds a text in another from the end backwards, as `tac` does. */
function placesOf(text: string, sought: string): (readonly [start: number, end: number])[] {
  const places: (readonly [number, number])[] = [];
  for (let end = text.length; end >= sought.length;) {
    const at = text.lastIndexOf(sought, end - sought.length);
    if (at < 0) break;
    places.push([at, at + sought.length]);
    end = at;
  }
  return places.reverse();
}

/** Prints records from the last to the first; the default separator is a line break. */
export const tac = writing(async (call, out) => {
  const options = optionsOf(call, { short: 'bs:r', long: ['separator=s', 'before=b', 'regex=r'] });
  const separator = (valueOf(options, 's') ?? '\n') || '\0';
  const parts = options.has.has('r')
    ? posixRegex(separator, { extended: false, escapes: 'sed' }, 'g')
    : separator;
  return eachInput(call, options.operands, async (source) => {
    const text = await readText(source, out);
    for (const record of recordsOf(text, parts, options.has.has('b')).reverse()) await out.write(record);
  });
});

export const rev = writing(async (call, out) => {
  const { operands } = optionsOf(call, { short: '' });
  return eachInput(call, operands, async (source) => {
    for await (const { lines, ended } of lineBatches(source, out)) {
      const text = lines.map((line) => [...line].reverse().join('')).join('\n');
      await out.write(text + (ended ? '\n' : ''));
    }
  });
});

export const nl = writing(async (call, out) => {
  const options = optionsOf(call, {
    short: 'b:h:f:n:w:s:v:i:pl:d:',
    long: [
      'body-numbering=b',
      'number-format=n',
      'number-width=w',
      'number-separator=s',
      'starting-line-number=v',
      'line-increment=i',
    ],
  });
  const value = (name: string, instead: string) => valueOf(options, name) ?? instead;
  const [style, format, between] = [value('b', 't'), value('n', 'rn'), value('s', '\t')];
  const [width, by] = [Number(value('w', '6')), Number(value('i', '1'))];
  const pattern = style.startsWith('p') ? new RegExp(style.slice(1), 'u') : undefined;
  let number = Number(value('v', '1'));
  return eachInput(call, options.operands, async (source) => {
    for await (const { lines } of lineBatches(source, out)) {
      for (const line of lines) {
        const counts = pattern ? pattern.test(line) : style === 'a' || (style === 't' && line !== '');
        if (!counts) {
          await out.write(`${' '.repeat(width + between.length)}${line}\n`);
          continue;
        }
        const digits = String(number);
        const shown =
          format === 'ln' ? digits.padEnd(width) : digits.padStart(width, format === 'rz' ? '0' : ' ');
        await out.write(`${shown}${between}${line}\n`);
        number += by;
      }
    }
  });
});

export const fold = writing(async (call, out) => {
  const args = call.args.map((arg) => (/^-\d+$/.test(arg) ? `-w${arg.slice(1)}` : arg));
  const options = optionsOf(
    call,
    { short: 'w:sb', long: ['width=w', 'spaces=s', 'bytes=b'] },
    1,
    false,
    args,
  );
  const width = Number(valueOf(options, 'w') ?? 80);
  return eachInput(call, options.operands, async (source) => {
    for await (const { lines, ended } of lineBatches(source, out)) {
      const text = lines.map((line) => folded(line, width, options.has.has('s'))).join('\n');
      await out.write(text + (ended ? '\n' : ''));
    }
  });
});

function folded(line: string, width: number, atSpaces: boolean): string {
  const pieces: string[] = [];
  let rest = [...line];
  while (rest.length > width) {
    const space = atSpaces ? rest.slice(0, width).lastIndexOf(' ') : -1;
    const cut = space >= 0 ? space + 1 : width;
    pieces.push(rest.slice(0, cut).join(''));
    rest = rest.slice(cut);
  }
  return [...pieces, rest.join('')].join('\n');
}
