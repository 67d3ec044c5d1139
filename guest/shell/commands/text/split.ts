import { Complaint } from '../../kit/complaint.ts';
import {
  joined,
  NEWLINE,
  nextPiece,
  open,
  optionsOf,
  readAll,
  save,
  sourceOf,
  writing,
} from '../../kit/io.ts';
import { countOf, valueOf, type Options } from '../../kit/options.ts';
import type { ByteSource, ProgramCall } from '../../program.ts';
import { encode } from '../../kit/io.ts';
import { amountOf } from './amount.ts';

const SPEC = {
  short: 'a:b:C:dxl:n:et:',
  long: [
    ...['suffix-length=a', 'bytes=b', 'line-bytes=C', 'lines=l', 'number=n', 'elide-empty-files=e'],
    ...['additional-suffix:', 'numeric-suffixes?', 'hex-suffixes?', 'separator=t', 'filter:', 'verbose'],
  ],
};

export const split = writing(async (call, out) => {
  const args = call.args.map((arg) => (/^-\d+$/.test(arg) ? `-l${arg.slice(1)}` : arg));
  const options = optionsOf(call, SPEC, 1, false, args);
  const [name = '-', prefix = 'x', extra] = options.operands;
  const hint = "\nTry 'split --help' for more information.";
  if (extra !== undefined) throw new Complaint(`extra operand '${extra}'${hint}`, 1);
  const ways = ['b', 'C', 'l', 'n'].filter((way) => options.has.has(way));
  if (ways.length > 1) throw new Complaint(`cannot split in more than one way${hint}`, 1);
  const source = await open(call, name).catch((error: unknown) => {
    throw error instanceof Complaint
      ? new Complaint(`cannot open '${name}' for reading: ${error.message.split(': ').at(-1) ?? ''}`, 1)
      : error;
  });
  const names = suffixes(options);
  for await (const part of partsOf(source, options)) {
    if (part.length === 0 && options.has.has('e')) continue;
    const suffix = names.next().value;
    if (suffix === undefined) throw new Complaint('output file suffixes exhausted', 1);
    const file = `${prefix}${suffix}${valueOf(options, 'additional-suffix') ?? ''}`;
    if (options.has.has('verbose')) await out.write(`creating file '${file}'\n`);
    await give(call, options, file, part);
  }
  return 0;
});

async function give(call: ProgramCall, options: Options, file: string, part: Uint8Array): Promise<void> {
  const filter = valueOf(options, 'filter');
  if (filter === undefined) return save(call, file, part);
  await call.run(['sh', '-c', filter], {
    stdin: sourceOf(part),
    env: new Map([...call.env, ['FILE', file]]),
  });
}

/**
 * Yields `aa`, `ab` and so on. Without a given length, suffixes grow before their first letter would be the
 * last one.
 */
function* suffixes(options: Options): Generator<string, undefined> {
  const { has } = options;
  const numeric = has.has('d') || has.has('numeric-suffixes');
  const hex = has.has('x') || has.has('hex-suffixes');
  const letters = numeric ? '0123456789' : hex ? '0123456789abcdef' : 'abcdefghijklmnopqrstuvwxyz';
  const base = letters.length;
  const from = parseInt(valueOf(options, hex ? 'hex-suffixes' : 'numeric-suffixes') || '0', base) || 0;
  const length = countOf(options, 'a') || 0;
  const spelled = (number: number, width: number) => {
    let text = '';
    for (let left = number; text.length < width; left = Math.floor(left / base))
      text = letters.charAt(left % base) + text;
    return text;
  };
  if (length > 0 || from > 0) {
    const width = length || 2;
    for (let at = from; at < base ** width; at++) yield spelled(at, width);
    return undefined;
  }
  let lead = '';
  for (let width = 2; ; width++) {
    for (let at = 0; at < (base - 1) * base ** (width - 1); at++) yield lead + spelled(at, width);
    lead += letters.charAt(base - 1);
  }
}

async function* partsOf(source: ByteSource, options: Options): AsyncGenerator<Uint8Array> {
  const chunks = valueOf(options, 'n');
  if (chunks !== undefined) return yield* chunked(await readAll(source), chunks);
  const bytes = valueOf(options, 'b');
  if (bytes !== undefined)
    return yield* bySize(source, needed(amountOf(bytes, 'number of bytes'), bytes, 'bytes'));
  const most = valueOf(options, 'C');
  if (most !== undefined)
    return yield* byLineBytes(
      await readAll(source),
      needed(amountOf(most, 'number of bytes'), most, 'bytes'),
    );
  const lines = valueOf(options, 'l') ?? '1000';
  const separator = valueOf(options, 't');
  const end = separator === undefined ? NEWLINE : separator === '\\0' ? 0 : (encode(separator)[0] ?? NEWLINE);
  yield* byLines(source, needed(amountOf(lines, 'number of lines'), lines, 'lines'), end);
}

function needed(amount: number, text: string, what: string): number {
  if (amount > 0) return amount;
  throw new Complaint(`invalid number of ${what}: '${text}'`, 1);
}

async function* byLines(source: ByteSource, count: number, end: number): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let lines = 0;
  for (let piece = await nextPiece(source); piece; piece = await nextPiece(source)) {
    let from = 0;
    for (let at = piece.indexOf(end); at >= 0; at = piece.indexOf(end, at + 1)) {
      if (++lines < count) continue;
      yield joined([...held, piece.subarray(from, at + 1)]);
      [held, lines, from] = [[], 0, at + 1];
    }
    if (from < piece.length) held.push(piece.subarray(from));
  }
  if (held.length > 0) yield joined(held);
}

async function* bySize(source: ByteSource, size: number): AsyncGenerator<Uint8Array> {
  let held = new Uint8Array();
  for (let piece = await nextPiece(source); piece; piece = await nextPiece(source)) {
    let all = held.length > 0 ? joined([held, piece]) : piece;
    for (; all.length >= size; all = all.subarray(size)) yield all.slice(0, size);
    held = all.slice();
  }
  if (held.length > 0) yield held;
}

function* byLineBytes(bytes: Uint8Array, most: number): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length;) {
    let to = Math.min(bytes.length, from + most);
    const cut = to < bytes.length ? bytes.lastIndexOf(NEWLINE, to - 1) + 1 : to;
    if (cut > from) to = cut;
    yield bytes.slice(from, to);
    from = to;
  }
}

function* chunked(bytes: Uint8Array, spec: string): Generator<Uint8Array> {
  const [, byLine, digits] = /^(l\/)?(\d+)$/.exec(spec) ?? [];
  const count = Number(digits);
  if (!(count > 0)) throw new Complaint(`invalid number of chunks: '${spec}'`, 1);
  const size = bytes.length / count;
  let from = 0;
  for (let chunk = 1; chunk <= count; chunk++) {
    let to =
      chunk === count
        ? bytes.length
        : Math.floor(size) * chunk + (byLine ? 0 : Math.min(chunk, bytes.length % count));
    if (byLine && chunk < count) {
      const end = to > 0 ? bytes.indexOf(NEWLINE, to - 1) : -1;
      to = to <= from ? from : end < 0 ? bytes.length : end + 1;
    }
    yield bytes.slice(from, Math.max(from, to));
    from = Math.max(from, to);
  }
}
