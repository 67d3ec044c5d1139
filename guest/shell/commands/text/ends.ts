import { pause, timeoutTimer } from '../../../../src/base/timer.ts';
import type { ByteSource, ProgramCall } from '../../program.ts';
import { fileError } from '../../files.ts';
import {
  eachInput,
  joined,
  NEWLINE,
  nextPiece,
  optionsOf,
  readAll,
  writing,
  type Writer,
} from '../../kit/io.ts';
import { valueOf, type Options } from '../../kit/options.ts';
import { amountOf } from './amount.ts';

const SPEC = {
  short: 'n:c:qvzfFs:r',
  long: [
    'lines=n',
    'bytes=c',
    'quiet=q',
    'silent=q',
    'verbose=v',
    'zero-terminated=z',
    'follow?',
    'retry',
    'sleep-interval=s',
    'pid:',
  ],
};

/** Turns the old forms `-5` and `+5` into `-n 5` and `-n +5`. */
function modern(args: readonly string[], plus: boolean): string[] {
  const [first = '', ...rest] = args;
  const old = (plus ? /^([-+])(\d+)([lc]?)(f?)$/ : /^(-)(\d+)([lc]?)(f?)$/).exec(first);
  if (!old) return [...args];
  const [, sign, digits, unit, follow] = old;
  return [
    ...(follow ? ['-f'] : []),
    unit === 'c' ? '-c' : '-n',
    `${sign === '+' ? '+' : ''}${digits ?? ''}`,
    ...rest,
  ];
}

interface EndRange {
  readonly bytes: boolean;
  readonly sign: '' | '+' | '-';
  readonly count: number;
}

function rangeOf(options: Options): EndRange {
  const last = options.order.findLast(([name]) => name === 'n' || name === 'c');
  const bytes = last?.[0] === 'c';
  const [, sign = '', digits = ''] = /^([-+]?)(.*)$/s.exec(last?.[1] ?? '10') ?? [];
  const count = amountOf(digits, `number of ${bytes ? 'bytes' : 'lines'}`);
  return { bytes, sign: sign === '+' || sign === '-' ? sign : '', count };
}

/** Prints a heading before each file, where there are several. */
function headings(out: Writer, options: Options): (name: string) => Promise<void> {
  const shows = !options.has.has('q') && (options.operands.length > 1 || options.has.has('v'));
  let isFirst = true;
  return async (name) => {
    if (shows) await out.write(`${isFirst ? '' : '\n'}==> ${name === '-' ? 'standard input' : name} <==\n`);
    isFirst = false;
  };
}

export const head = writing(async (call, out) => {
  const options = optionsOf(call, SPEC, 1, false, modern(call.args, false));
  const { bytes, sign, count } = rangeOf(options);
  const end = options.has.has('z') ? 0 : NEWLINE;
  const heading = headings(out, options);
  return eachInput(call, options.operands, async (source, name) => {
    await heading(name);
    if (sign === '-') {
      const all = await readAll(source, out);
      return out.bytes(
        all.subarray(0, bytes ? Math.max(0, all.length - count) : startOfLast(all, count, end)),
      );
    }
    let left = count;
    while (left > 0) {
      const piece = await nextPiece(source, out);
      if (!piece) return;
      let cut = piece.length;
      if (bytes) {
        cut = Math.min(piece.length, left);
        left -= cut;
      } else {
        for (let at = piece.indexOf(end); at >= 0; at = piece.indexOf(end, at + 1)) {
          if (--left > 0) continue;
          cut = at + 1;
          break;
        }
      }
      await out.bytes(piece.subarray(0, cut));
      if (cut < piece.length) source.unread(piece.subarray(cut));
    }
  });
});

/** The position at which the last `count` lines begin. */
function startOfLast(bytes: Uint8Array, count: number, end: number): number {
  let at = bytes.length;
  if (count === 0) return at;
  if (bytes[at - 1] === end) at--;
  for (let left = count; left > 0; left--) {
    if (at === 0) return 0;
    at = bytes.lastIndexOf(end, at - 1);
    if (at < 0) return 0;
  }
  return at + 1;
}

export const tail = writing(async (call, out) => {
  const options = optionsOf(call, SPEC, 1, false, modern(call.args, true));
  const range = rangeOf(options);
  const end = options.has.has('z') ? 0 : NEWLINE;
  const heading = headings(out, options);
  const code = await eachInput(call, options.operands, async (source, name) => {
    await heading(name);
    await (range.sign === '+' ? fromOn(source, out, range, end) : lastOf(source, out, range, end));
  });
  const follows = ['f', 'F', 'follow'].some((name) => options.has.has(name));
  const files = options.operands.filter((name) => name !== '-');
  if (follows && files.length > 0) await follow(call, out, files, heading, options);
  return code;
});

async function fromOn(
  source: ByteSource,
  out: Writer,
  { bytes, count }: EndRange,
  end: number,
): Promise<void> {
  let skip = Math.max(0, count - 1);
  for (let piece = await nextPiece(source, out); piece; piece = await nextPiece(source, out)) {
    let from = 0;
    if (bytes) {
      from = Math.min(skip, piece.length);
      skip -= from;
    } else {
      while (skip > 0) {
        const at = piece.indexOf(end, from);
        from = at < 0 ? piece.length : at + 1;
        if (at < 0) break;
        skip--;
      }
    }
    if (from < piece.length) await out.bytes(piece.subarray(from));
  }
}

async function lastOf(
  source: ByteSource,
  out: Writer,
  { bytes, count }: EndRange,
  end: number,
): Promise<void> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for (let piece = await nextPiece(source, out); piece; piece = await nextPiece(source, out)) {
    pieces.push(piece);
    size += piece.length;
    // Only bytes that may belong to the last lines are kept, so that long input fits into memory.
    if (size < 1_000_000) continue;
    const all = joined(pieces);
    const kept = all.subarray(bytes ? Math.max(0, all.length - count) : startOfLast(all, count, end));
    pieces = [kept.slice()];
    size = kept.length > 500_000 ? 0 : kept.length;
  }
  const all = joined(pieces);
  await out.bytes(all.subarray(bytes ? Math.max(0, all.length - count) : startOfLast(all, count, end)));
}

const POLL_MS = 200;

async function follow(
  call: ProgramCall,
  out: Writer,
  names: readonly string[],
  heading: (name: string) => Promise<void>,
  options: Options,
): Promise<void> {
  const pauseMs = Math.min(POLL_MS, Number(valueOf(options, 's') ?? 1) * 1000);
  const seen = new Map<string, number>();
  const size = async (name: string) => {
    try {
      return (await call.files.stat(call.path(name))).size;
    } catch (error) {
      if (fileError(error) === 'No such file or directory') return 0;
      throw error;
    }
  };
  for (const name of names) seen.set(name, await size(name));
  let shown = names.at(-1);
  while (!call.signal.aborted) {
    await out.flush();
    await pause(timeoutTimer, pauseMs, call.signal);
    for (const name of names) {
      const before = seen.get(name) ?? 0;
      const now = await size(name);
      if (now === before) continue;
      const all = await call.files.readFileBuffer(call.path(name));
      seen.set(name, all.length);
      if (names.length > 1 && shown !== name) await heading(name);
      shown = name;
      await out.bytes(all.subarray(all.length < before ? 0 : before));
    }
  }
}
