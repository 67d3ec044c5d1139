import type { ByteSource, ProgramCall } from '../../program.ts';
import {
  decode,
  eachInput,
  joined,
  NEWLINE,
  nextPiece,
  optionsOf,
  readText,
  open,
  writing,
  type Writer,
} from '../../kit/io.ts';
import { valueOf } from '../../kit/options.ts';

const KINDS = ['l', 'w', 'm', 'c', 'L'] as const;
type Kind = (typeof KINDS)[number];
type Counts = Record<Kind, number>;

export const wc = writing(async (call, out) => {
  const options = optionsOf(call, {
    short: 'lwmcL',
    long: ['lines=l', 'words=w', 'chars=m', 'bytes=c', 'max-line-length=L', 'files0-from:', 'total:'],
  });
  let names = options.operands;
  const list = valueOf(options, 'files0-from');
  if (list !== undefined) names = (await readText(await open(call, list))).split('\0').filter(Boolean);
  const given = KINDS.filter((kind) => options.has.has(kind));
  const kinds = given.length > 0 ? given : (['l', 'w', 'c'] as const);
  const width = await widthOf(call, names, kinds.length);
  const total: Counts = { l: 0, w: 0, m: 0, c: 0, L: 0 };
  const show = (counts: Counts, name: string) =>
    out.write(
      `${kinds.map((kind) => String(counts[kind]).padStart(width)).join(' ')}${name === '' ? '' : ` ${name}`}\n`,
    );
  const code = await eachInput(call, names, async (source, name) => {
    const counts = await count(source, out, kinds);
    for (const kind of KINDS)
      total[kind] = kind === 'L' ? Math.max(total.L, counts.L) : total[kind] + counts[kind];
    await show(counts, names.length === 0 ? '' : name);
  });
  if (names.length > 1) await show(total, 'total');
  return code;
});

/** The column width: that of the total size of all files; 7 where a size is unknown. */
async function widthOf(call: ProgramCall, names: readonly string[], columns: number): Promise<number> {
  if (columns === 1 && names.length <= 1) return 1;
  let [sum, least] = [0, names.length === 0 ? 7 : 1];
  for (const name of names) {
    const stat = name === '-' ? undefined : await call.files.stat(call.path(name)).catch(() => null);
    if (stat === undefined || (stat && !stat.isFile)) least = 7;
    else if (stat) sum += stat.size;
  }
  return Math.max(least, String(sum).length);
}

async function count(source: ByteSource, out: Writer, kinds: readonly Kind[]): Promise<Counts> {
  const counts: Counts = { l: 0, w: 0, m: 0, c: 0, L: 0 };
  const needsText = kinds.some((kind) => kind === 'm' || kind === 'L');
  const needsLines = kinds.includes('l');
  const needsWords = kinds.includes('w');
  const texts: Uint8Array[] = [];
  let inWord = false;
  for (let piece = await nextPiece(source, out); piece; piece = await nextPiece(source, out)) {
    counts.c += piece.length;
    if (needsText) texts.push(piece);
    if (needsWords) {
      for (const byte of piece) {
        const isSpace = byte === 32 || (byte >= 9 && byte <= 13);
        if (isSpace) inWord = false;
        else if (!inWord) {
          inWord = true;
          counts.w++;
        }
      }
    }
    if (!needsLines) continue;
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, at + 1)) counts.l++;
  }
  if (!needsText) return counts;
  for (const line of decode(joined(texts)).split('\n')) {
    const length = [...line].length;
    counts.m += length + 1;
    counts.L = Math.max(counts.L, widthOfLine(line));
  }
  counts.m -= 1;
  return counts;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;

/** The width of a line on a terminal. */
function widthOfLine(line: string): number {
  let width = 0;
  for (const char of line)
    width = char === '\t' ? width - (width % 8) + 8 : width + (WIDE.test(char) ? 2 : 1);
  return width;
}
