import { isBinary } from '../kit/bytes.ts';
import { MODE, NO_ID } from '../kit/objects.ts';
import type { Painter } from '../kit/paint.ts';
import { quotePath } from '../kit/quote.ts';
import type { Version } from '../kit/trees.ts';
import { changesOf, hunkHead, hunksOf, textOf, type Hunk } from './hunks.ts';
import type { DiffOptions } from './options.ts';
import { KEPT, type Change, type ReadVersion } from './renames.ts';
import type { FileStat } from './stat.ts';
import { wordLines } from './words.ts';

const NOTHING = new Uint8Array();

export interface Contents {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** Reads both sides of a change. A submodule is shown by the commit that it is on. */
export async function contentsOf(
  { from, path, before, after }: Change,
  read: ReadVersion,
): Promise<Contents> {
  const one = async (version: Version | undefined, at: string) => {
    if (!version) return NOTHING;
    if (version.mode === MODE.submodule)
      return new TextEncoder().encode(`Subproject commit ${version.oid}\n`);
    return read(version, at);
  };
  const [old, now] = await Promise.all([one(before, from), one(after, path)]);
  return { before: old, after: now };
}

export function fileStat(change: Change, { before, after }: Contents, options: DiffOptions): FileStat {
  if (before === KEPT || after === KEPT) return { change, added: 0, removed: 0, isBinary: true };
  if (!options.asText && (isBinary(before) || isBinary(after)))
    return { change, added: after.length, removed: before.length, isBinary: true };
  const changes = changesOf(textOf(before), textOf(after), options.hunks);
  return {
    change,
    added: changes.reduce((sum, { bLines }) => sum + bLines, 0),
    removed: changes.reduce((sum, { aLines }) => sum + aLines, 0),
    isBinary: false,
  };
}

/** The head of a file's patch, from `diff --git` to `index`. */
function headOf(change: Change, options: DiffOptions, isSame: boolean): string[] {
  const { from, path, before, after, status, score } = change;
  const [a, b] = [quotePath(`${options.prefixes[0]}${from}`), quotePath(`${options.prefixes[1]}${path}`)];
  const octal = (mode: number) => mode.toString(8).padStart(6, '0');
  const lines = [`diff --git ${a} ${b}`];
  if (!before && after) lines.push(`new file mode ${octal(after.mode)}`);
  else if (before && !after) lines.push(`deleted file mode ${octal(before.mode)}`);
  else if (before && after && before.mode !== after.mode)
    lines.push(`old mode ${octal(before.mode)}`, `new mode ${octal(after.mode)}`);
  if (status === 'R' || status === 'C') {
    const word = status === 'R' ? 'rename' : 'copy';
    lines.push(
      `similarity index ${score}%`,
      `${word} from ${quotePath(from)}`,
      `${word} to ${quotePath(path)}`,
    );
  }
  if (!isSame) {
    const short = (version: Version | undefined) => (version?.oid ?? NO_ID).slice(0, options.idLength);
    const mode = before && after && before.mode === after.mode ? ` ${octal(before.mode)}` : '';
    lines.push(`index ${short(before)}..${short(after)}${mode}`);
  }
  return lines;
}

/** The patch of one file. A change of the type of a file is a removal and an addition. */
export function patchOf(change: Change, contents: Contents, options: DiffOptions): string {
  if (change.status === 'U') return `* Unmerged path ${quotePath(change.path)}\n`;
  if (change.status === 'T')
    return (
      patchOf({ ...change, status: 'D', after: undefined }, { ...contents, after: NOTHING }, options) +
      patchOf({ ...change, status: 'A', before: undefined }, { ...contents, before: NOTHING }, options)
    );
  const { painter } = options;
  const isSame = change.before?.oid === change.after?.oid;
  const head = headOf(change, options, isSame);
  const bold = (lines: readonly string[]) => lines.map((line) => `${painter.paint('bold', line)}\n`).join('');
  if (isSame) return bold(head);
  if (contents.before === KEPT || contents.after === KEPT) return bold(head) + keptLine(change.path);
  if (!options.asText && (isBinary(contents.before) || isBinary(contents.after)))
    return `${bold(head)}Binary files ${sideName(change, 0, options)} and ${sideName(change, 1, options)} differ\n`;
  const hunks = hunksOf(textOf(contents.before), textOf(contents.after), options.hunks);
  if (hunks.length === 0) {
    const isEmpty = contents.before.length === 0 && contents.after.length === 0;
    return isEmpty || head.length > 2 || change.before?.mode !== change.after?.mode ? bold(head) : '';
  }
  const names = [
    `--- ${padded(sideName(change, 0, options))}`,
    `+++ ${padded(sideName(change, 1, options))}`,
  ];
  return bold([...head, ...names]) + hunks.map((hunk) => hunkText(hunk, options)).join('');
}

/** Stands in place of a content that this command may not read. */
export function keptLine(path: string): string {
  return `The content of '${path}' is kept from this command by the rules for reading.\n`;
}

function sideName({ from, path, before, after }: Change, side: 0 | 1, { prefixes }: DiffOptions): string {
  if (!(side === 0 ? before : after)) return '/dev/null';
  return quotePath(`${prefixes[side]}${side === 0 ? from : path}`);
}

/** Other programs would take a blank in a name for its end. */
function padded(name: string): string {
  return name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name;
}

function hunkText(hunk: Hunk, { painter, words }: DiffOptions): string {
  const heading = hunk.heading === '' ? '' : ` ${hunk.heading}`;
  const head = `${painter.paint('cyan', hunkHead(hunk))}${heading}\n`;
  const lines =
    words === undefined
      ? hunk.lines.map((line) => lineText(line, painter))
      : wordLines(hunk.lines, words, painter);
  return `${head}${lines.map((line) => `${line}\n`).join('')}`;
}

const TRAILING = /[ \t]+$/;

function lineText(line: string, painter: Painter): string {
  if (!painter.isOn) return line;
  if (line.startsWith('-')) return painter.paint('red', line);
  if (!line.startsWith('+')) return `${line}\x1b[m`;
  const blanks = TRAILING.exec(line.slice(1))?.[0] ?? '';
  const text =
    painter.paint('green', '+') + painter.paint('green', line.slice(1, line.length - blanks.length));
  return blanks === '' ? text : `${text}\x1b[41m${blanks}\x1b[m`;
}
