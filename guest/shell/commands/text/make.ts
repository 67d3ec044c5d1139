import { Complaint } from '../../kit/complaint.ts';
import { complaining, encode, nextPiece, optionsOf, writing, type Writer } from '../../kit/io.ts';
import { conversionOf, formatFloat, piecesOf } from '../../kit/c-format.ts';
import { fileError } from '../../files.ts';
import { complain } from '../../kit/io.ts';
import { valueOf } from '../../kit/options.ts';
import { BrokenPipe } from '../../program.ts';

const BLOCK = 8192;

/** Prints the same line until nobody reads it. */
export const yes = complaining(async (call) => {
  if (call.args[0] === '--help') {
    await call.stdout.write(
      encode('Usage: yes [STRING]...\nRepeatedly output a line with all specified STRING(s), or y.\n'),
    );
    return 0;
  }
  const line = `${call.args.join(' ') || 'y'}\n`;
  const bytes = encode(line.repeat(Math.ceil(BLOCK / line.length)));
  for (let turn = 1; !call.signal.aborted; turn++) {
    await call.stdout.write(bytes);
    if (turn % 100 === 0) await new Promise((resolve) => setTimeout(resolve));
  }
  return 0;
});

export const tee = complaining(async (call) => {
  const { has, operands } = optionsOf(call, {
    short: 'aip',
    long: ['append=a', 'ignore-interrupts=i', 'output-error?'],
  });
  let code = 0;
  const files: string[] = [];
  for (const name of operands) {
    try {
      if (has.has('a')) await call.files.appendFile(call.path(name), '');
      else await call.files.writeFile(call.path(name), '');
      files.push(call.path(name));
    } catch (error) {
      await complain(call, `${name}: ${fileError(error)}`);
      code = 1;
    }
  }
  let broken: BrokenPipe | undefined;
  for (let piece = await nextPiece(call.stdin); piece; piece = await nextPiece(call.stdin)) {
    for (const path of files) await call.files.appendFile(path, piece);
    try {
      if (!broken) await call.stdout.write(piece);
    } catch (error) {
      if (!(error instanceof BrokenPipe)) throw error;
      broken = error;
      if (!has.has('p')) break;
    }
  }
  if (broken && !has.has('p')) throw broken;
  return code;
});

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

export const seq = writing(async (call, out) => {
  const args = call.args.map((arg) => (/^-[\d.]/.test(arg) ? `\0${arg}` : arg));
  const options = optionsOf(
    call,
    { short: 's:wf:', long: ['separator=s', 'equal-width=w', 'format=f'] },
    1,
    true,
    args,
  );
  const words = options.operands.map((word) => word.replace(/^\0/, ''));
  const wrong = words.find((word) => !NUMBER.test(word));
  if (wrong !== undefined) throw new Complaint(`invalid floating point argument: '${wrong}'`, 1);
  if (words.length === 0) throw new Complaint('missing operand', 1);
  if (words.length > 3) throw new Complaint(`extra operand '${words[3] ?? ''}'`, 1);
  const [first = '1', step = '1', last = '1'] =
    words.length === 1 ? ['1', '1', words[0]] : words.length === 2 ? [words[0], '1', words[1]] : words;
  const [from, by, to] = [Number(first), Number(step), Number(last)];
  if (by === 0) throw new Complaint("invalid Zero increment value: '0'", 1);
  const digits = Math.max(fraction(first), fraction(step));
  const format = valueOf(options, 'f');
  const width = options.has.has('w')
    ? Math.max(...[first, last].map((word) => Number(word).toFixed(digits).length))
    : 0;
  const show = showing(format, digits, width);
  const between = valueOf(options, 's') ?? '\n';
  const count = Math.floor((to - from) / by + 1e-9) + 1;
  if (digits === 0 && width === 0 && format === undefined && Number.isSafeInteger(from))
    await whole(out, from, by, count, between, () => call.signal.aborted);
  else
    for (let at = 0; at < count && !call.signal.aborted; at++) {
      const waits = out.write((at > 0 ? between : '') + show(from + at * by));
      if (waits) await waits;
    }
  if (count > 0) await out.write('\n');
  return 0;
});

async function whole(
  out: Writer,
  from: number,
  by: number,
  count: number,
  between: string,
  stopped: () => boolean,
): Promise<void> {
  for (let at = 0; at < count && !stopped();) {
    let text = '';
    for (const end = Math.min(count, at + 4096); at < end; at++)
      text += (at > 0 ? between : '') + (from + at * by);
    const waits = out.write(text);
    if (waits) await waits;
  }
}

function fraction(word: string): number {
  return /\.(\d+)/.exec(word)?.[1]?.length ?? 0;
}

function showing(format: string | undefined, digits: number, width: number): (value: number) => string {
  if (format === undefined) {
    return (value) => {
      const text = Math.abs(value).toFixed(digits);
      return value < 0 && Number(text) !== 0
        ? `-${text.padStart(width - 1, '0')}`
        : text.padStart(width, '0');
    };
  }
  const pieces = piecesOf(format, 'eEfFgGaA');
  if (!pieces.some((piece) => 'letter' in piece))
    throw new Complaint(`format '${format}' has no % directive`, 1);
  return (value) =>
    pieces
      .map((piece) =>
        'text' in piece
          ? piece.text
          : formatFloat(
              value,
              conversionOf(piece, () => 0),
            ),
      )
      .join('');
}
