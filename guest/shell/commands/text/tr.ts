import { Complaint } from '../../kit/complaint.ts';
import { encode, nextPiece, optionsOf, writing } from '../../kit/io.ts';

const ESCAPES: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11, '\\': 92 };

function rangeOf(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
}

const text = (from: string, to: string) => rangeOf(from.charCodeAt(0), to.charCodeAt(0));
const PUNCTUATION = [...text('!', '/'), ...text(':', '@'), ...text('[', '`'), ...text('{', '~')];
const CLASSES: Readonly<Record<string, readonly number[]>> = {
  alnum: [...text('0', '9'), ...text('A', 'Z'), ...text('a', 'z')],
  alpha: [...text('A', 'Z'), ...text('a', 'z')],
  blank: [9, 32],
  cntrl: [...rangeOf(0, 31), 127],
  digit: text('0', '9'),
  graph: rangeOf(33, 126),
  lower: text('a', 'z'),
  print: rangeOf(32, 126),
  punct: PUNCTUATION,
  space: [...rangeOf(9, 13), 32],
  upper: text('A', 'Z'),
  xdigit: [...text('0', '9'), ...text('A', 'F'), ...text('a', 'f')],
};

interface ByteSet {
  readonly bytes: number[];
  /** The position of `[c*]`, which fills the set up to the length of the first one. */
  readonly fillAt: number | undefined;
}

function setOf(written: string): ByteSet {
  const source = encode(written);
  const bytes: number[] = [];
  let fillAt: number | undefined;
  const char = (at: number) => String.fromCharCode(source[at] ?? 0);
  const rest = (at: number) => String.fromCharCode(...source.subarray(at));
  const one = (at: number): [byte: number, end: number] => {
    if (char(at) !== '\\' || at + 1 >= source.length) return [source[at] ?? 0, at + 1];
    const octal = /^[0-7]{1,3}/.exec(rest(at + 1))?.[0];
    if (octal !== undefined) return [parseInt(octal, 8) & 255, at + 1 + octal.length];
    return [ESCAPES[char(at + 1)] ?? source[at + 1] ?? 0, at + 2];
  };
  for (let at = 0; at < source.length;) {
    const named = /^\[:(\w+):\]/.exec(rest(at));
    if (named) {
      const members = CLASSES[named[1] ?? ''];
      if (!members) throw new Complaint(`invalid character class '${named[1] ?? ''}'`, 1);
      bytes.push(...members);
      at += named[0].length;
      continue;
    }
    const same = /^\[=(.)=\]/.exec(rest(at));
    if (same) {
      bytes.push(same[1]?.charCodeAt(0) ?? 0);
      at += same[0].length;
      continue;
    }
    const repeat = /^\[(\\?.)\*(\d*)\]/.exec(rest(at));
    if (repeat) {
      const [byte] = one(at + 1);
      const count = repeat[2] ?? '';
      if (count === '' || Number(count) === 0) fillAt = bytes.length;
      const times = count === '' ? 0 : count.startsWith('0') ? parseInt(count, 8) : Number(count);
      bytes.push(...Array.from({ length: Math.max(fillAt === undefined ? 0 : 1, times) }, () => byte));
      at += repeat[0].length;
      continue;
    }
    const [from, end] = one(at);
    if (char(end) === '-' && end + 1 < source.length) {
      const [to, after] = one(end + 1);
      if (to < from)
        throw new Complaint(
          `range-endpoints of '${String.fromCharCode(from)}-${String.fromCharCode(to)}' are in reverse collating sequence order`,
          1,
        );
      bytes.push(...rangeOf(from, to));
      at = after;
    } else {
      bytes.push(from);
      at = end;
    }
  }
  return { bytes, fillAt };
}

/** Replaces or deletes bytes, and squeezes repeated ones. */
export const tr = writing(async (call) => {
  const { has, operands } = optionsOf(
    call,
    { short: 'cCdst', long: ['complement=c', 'delete=d', 'squeeze-repeats=s', 'truncate-set1=t'] },
    1,
    true,
  );
  const [written1, written2] = operands;
  const [deletes, squeezes] = [has.has('d'), has.has('s')];
  if (written1 === undefined)
    throw new Complaint("missing operand\nTry 'tr --help' for more information.", 1);
  if (written2 === undefined && !deletes && !squeezes)
    throw new Complaint(
      `missing operand after '${written1}'\nTwo strings must be given when translating.\nTry 'tr --help' for more information.`,
      1,
    );
  const given = setOf(written1).bytes;
  const complemented = has.has('c') || has.has('C');
  const first = complemented ? rangeOf(0, 255).filter((byte) => !given.includes(byte)) : given;
  const set2 = written2 === undefined ? undefined : setOf(written2);
  const map = Uint8Array.from(rangeOf(0, 255));
  const isDeleted = new Uint8Array(256);
  const isSqueezed = new Uint8Array(256);
  if (deletes) for (const byte of first) isDeleted[byte] = 1;
  else if (set2) {
    const second = [...set2.bytes];
    if (second.length === 0) throw new Complaint('when not truncating set1, string2 must be non-empty', 1);
    if (set2.fillAt !== undefined && second.length < first.length) {
      const fill = second[set2.fillAt] ?? 0;
      second.splice(set2.fillAt, 0, ...Array.from({ length: first.length - second.length }, () => fill));
    }
    const last = second.at(-1) ?? 0;
    for (const [at, byte] of first.entries()) {
      if (has.has('t') && at >= second.length) break;
      map[byte] = second[at] ?? last;
    }
  }
  if (squeezes) for (const byte of set2 ? set2.bytes : first) isSqueezed[byte] = 1;
  let previous = -1;
  for (let piece = await nextPiece(call.stdin); piece; piece = await nextPiece(call.stdin)) {
    const result = new Uint8Array(piece.length);
    let size = 0;
    for (const byte of piece) {
      if (isDeleted[byte] === 1) continue;
      const to = map[byte] ?? byte;
      if (to === previous && isSqueezed[to] === 1) continue;
      previous = to;
      result[size++] = to;
    }
    if (size > 0) await call.stdout.write(result.subarray(0, size));
  }
  return 0;
});
