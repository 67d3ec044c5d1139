import { Complaint } from '../../kit/complaint.ts';
import { eachInput, encode, lineBatches, optionsOf, writing } from '../../kit/io.ts';
import type { Options } from '../../kit/options.ts';

/** Returns the first tab stop after a column. */
type Stops = (column: number) => number;

function stopsOf(options: Options): Stops {
  const texts = options.values.get('t') ?? ['8'];
  const list = texts
    .join(',')
    .split(/[,\s]+/)
    .filter((text) => text !== '');
  for (const text of list)
    if (!/^[+/]?\d+$/.test(text)) throw new Complaint(`tab size contains invalid character(s): '${text}'`, 1);
  const last = list.at(-1) ?? '8';
  const sizes = list.filter((text) => /^\d/.test(text)).map(Number);
  if (sizes.includes(0)) throw new Complaint('tab size cannot be 0', 1);
  const [only = 8] = sizes;
  if (sizes.length === 1 && list.length === 1) return (column) => column + only - (column % only);
  if (sizes.some((size, at) => at > 0 && size <= (sizes[at - 1] ?? 0)))
    throw new Complaint('tab sizes must be ascending', 1);
  const every = /^[+/]/.test(last) ? Number(last.slice(1)) : 0;
  const from = last.startsWith('+') ? (sizes.at(-1) ?? 0) : 0;
  return (column) =>
    sizes.find((size) => size > column) ??
    (every > 0 ? column + every - ((column - from) % every) : column + 1);
}

/** Turns `-8` into `-t 8`. */
function withSizes(args: readonly string[]): string[] {
  return args.map((arg) => (/^-\d/.test(arg) ? `-t${arg.slice(1)}` : arg));
}

export const expand = writing(async (call, out) => {
  const options = optionsOf(
    call,
    { short: 'it:', long: ['initial=i', 'tabs=t'] },
    1,
    false,
    withSizes(call.args),
  );
  const stops = stopsOf(options);
  const isInitial = options.has.has('i');
  return eachInput(call, options.operands, async (source) => {
    for await (const { lines, ended } of lineBatches(source, out)) {
      for (const [at, line] of lines.entries()) {
        let [text, column, begun] = ['', 0, false];
        for (const char of line) {
          if (char === '\t' && !(isInitial && begun)) {
            const next = stops(column);
            text += ' '.repeat(next - column);
            column = next;
            continue;
          }
          if (char !== ' ' && char !== '\t') begun = true;
          column = char === '\b' ? Math.max(0, column - 1) : column + encode(char).length;
          text += char;
        }
        await out.write(text + (ended || at < lines.length - 1 ? '\n' : ''));
      }
    }
  });
});

export const unexpand = writing(async (call, out) => {
  const options = optionsOf(
    call,
    { short: 'at:', long: ['all=a', 'tabs=t', 'first-only'] },
    1,
    false,
    withSizes(call.args),
  );
  const stops = stopsOf(options);
  const all = (options.has.has('a') || options.has.has('t')) && !options.has.has('first-only');
  return eachInput(call, options.operands, async (source) => {
    for await (const { lines, ended } of lineBatches(source, out)) {
      for (const [at, line] of lines.entries())
        await out.write(tabbed(line, stops, all) + (ended || at < lines.length - 1 ? '\n' : ''));
    }
  });
});

function tabbed(line: string, stops: Stops, all: boolean): string {
  let text = '';
  let column = 0;
  let rest = line;
  for (;;) {
    const [blanks = ''] = /^[ \t]+/.exec(rest) ?? [];
    rest = rest.slice(blanks.length);
    let end = column;
    for (const blank of blanks) end = blank === '\t' ? stops(end) : end + 1;
    // A single space after text stays a space.
    if (blanks === ' ' && column > 0 && /^[^ \t]/.test(rest + 'x')) text += ' ';
    else {
      let from = column;
      for (let next = stops(from); next <= end; next = stops(from)) {
        text += '\t';
        from = next;
      }
      text += ' '.repeat(end - from);
    }
    column = end;
    if (rest === '') return text;
    if (!all) return text + rest;
    const [word = ''] = /^[^ \t]+/.exec(rest) ?? [];
    text += word;
    column += encode(word).length;
    rest = rest.slice(word.length);
  }
}
