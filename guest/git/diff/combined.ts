import { isBinary } from '../kit/bytes.ts';
import type { Commit } from '../kit/objects.ts';
import type { Pathspec } from '../kit/pathspec.ts';
import { quotePath } from '../kit/quote.ts';
import type { Repo } from '../kit/repo.ts';
import { filesOf, type Version } from '../kit/trees.ts';
import { changesOf, rangeText, textOf, type Text } from './hunks.ts';
import type { DiffOptions } from './options.ts';
import { keptLine } from './patch.ts';

/** Lines that some of the parents had in front of a line of the result; `parents` has a bit for each. */
interface Lost {
  text: string;
  parents: number;
}

interface ResultLine {
  readonly text: string;
  /** A bit for each parent that does not have the line. */
  flags: number;
  readonly lost: Lost[];
}

const CONTEXT = 3;

/** The differences of a merge from all of its parents at once, in git's dense form. */
export async function combinedText(
  repo: Repo,
  commit: Commit,
  options: DiffOptions,
  paths?: Pathspec,
): Promise<string> {
  const result = await filesOf(repo.objects, commit.tree);
  const parents = await Promise.all(
    commit.parents.map(async (oid) => filesOf(repo.objects, (await repo.objects.commit(oid)).tree)),
  );
  const candidates = new Set([...result.keys(), ...(parents[0]?.keys() ?? [])]);
  const texts: string[] = [];
  for (const path of [...candidates].sort()) {
    if (paths && !paths.matches(path)) continue;
    const now = result.get(path);
    const before = parents.map((files) => files.get(path));
    if (before.some((version) => version?.oid === now?.oid)) continue;
    if (!(await repo.mayRead(path))) {
      texts.push(`diff --cc ${quotePath(path)}\n${keptLine(path)}`);
      continue;
    }
    texts.push(
      await fileText(
        repo,
        path,
        before,
        now && { version: now, bytes: await repo.objects.blob(now.oid) },
        options,
      ),
    );
  }
  return texts.join('');
}

/** Shows a file in conflict as `git diff` does: how it differs from ours and from theirs. */
export async function combinedConflict(repo: Repo, path: string, options: DiffOptions): Promise<string> {
  const entries = (await repo.index()).filter((entry) => entry.path === path && entry.stage > 1);
  const at = (stage: number): Version | undefined => entries.find((entry) => entry.stage === stage);
  if (!(await repo.mayRead(path))) return `diff --cc ${quotePath(path)}\n${keptLine(path)}`;
  const stat = await repo.worktree.lstat(path);
  const [ours, theirs] = [at(2), at(3)];
  if (!stat || !ours || !theirs) return `* Unmerged path ${quotePath(path)}\n`;
  const bytes = await repo.worktree.bytes(path, stat);
  return fileText(repo, path, [ours, theirs], { version: undefined, bytes }, options);
}

async function fileText(
  repo: Repo,
  path: string,
  parents: readonly (Version | undefined)[],
  result: { readonly version: Version | undefined; readonly bytes: Uint8Array } | undefined,
  options: DiffOptions,
): Promise<string> {
  const { painter, idLength } = options;
  const contents = await Promise.all(
    parents.map((version) => (version ? repo.objects.blob(version.oid) : new Uint8Array())),
  );
  const short = (version: Version | undefined) => (version?.oid ?? '0'.repeat(40)).slice(0, idLength);
  const head = [
    `diff --cc ${quotePath(path)}`,
    `index ${parents.map(short).join(',')}..${short(result?.version)}`,
  ];
  const modes = new Set([...parents, result?.version].flatMap((version) => version?.mode ?? []));
  if (!result)
    head.push(
      `deleted file mode ${parents.map((version) => (version?.mode ?? 0).toString(8).padStart(6, '0')).join(',')}`,
    );
  else if (result.version && parents.every((version) => !version))
    head.push(`new file mode ${result.version.mode.toString(8)}`);
  else if (modes.size > 1 && result.version)
    head.push(
      `mode ${parents.map((version) => (version?.mode ?? 0).toString(8).padStart(6, '0')).join(',')}..${result.version.mode.toString(8)}`,
    );
  const bold = (lines: readonly string[]) => lines.map((line) => `${painter.paint('bold', line)}\n`).join('');
  const bytes = result?.bytes ?? new Uint8Array();
  if ([...contents, bytes].some(isBinary)) return `${bold(head)}Binary files differ\n`;
  const hunks = hunksOf(contents.map(textOf), textOf(bytes), options);
  const isGone = parents.every((version) => !version);
  const names = [
    `--- ${isGone ? '/dev/null' : quotePath(`a/${path}`)}`,
    `+++ ${result ? quotePath(`b/${path}`) : '/dev/null'}`,
  ];
  return hunks.length === 0 ? bold(head) : bold([...head, ...names]) + hunks.join('');
}

function hunksOf(parents: readonly Text[], result: Text, { painter }: DiffOptions): string[] {
  const lines: ResultLine[] = [...result.lines, ''].map((text) => ({ text, flags: 0, lost: [] }));
  parents.forEach((parent, which) => {
    for (const { a, aLines, b, bLines } of changesOf(parent, result)) {
      for (let at = b; at < b + bLines; at++) {
        const line = lines[at];
        if (line) line.flags |= 1 << which;
      }
      addLost(lines[b], parent.lines.slice(a, a + aLines), 1 << which);
    }
  });
  const all = (1 << parents.length) - 1;
  const isChanged = (line: ResultLine | undefined) =>
    line !== undefined && (line.flags !== 0 || line.lost.length > 0);
  const wanted = lines.map(isChanged);
  dropPlain(lines, wanted, all);
  const shown = withContext(wanted);
  const hunks: string[] = [];
  for (let start = 0; start < lines.length; start++) {
    if (!shown[start]) continue;
    let end = start;
    while (end < lines.length && shown[end]) end++;
    hunks.push(hunkText(lines, start, end, parents.length, painter));
    start = end;
  }
  return hunks;
}

/** A line that several parents have lost is shown once; lines of one parent alone stand where they were. */
function addLost(line: ResultLine | undefined, texts: readonly string[], bit: number): void {
  if (!line) return;
  let from = 0;
  let waiting: Lost[] = [];
  for (const text of texts) {
    const known = line.lost.findIndex((lost, at) => at >= from && lost.text === text);
    const lost = line.lost[known];
    if (!lost) {
      waiting.push({ text, parents: bit });
      continue;
    }
    line.lost.splice(known, 0, ...waiting);
    from = known + waiting.length + 1;
    waiting = [];
    lost.parents |= bit;
  }
  line.lost.push(...waiting);
}

/** Takes away stretches in which the result is simply what one side has. */
function dropPlain(lines: readonly ResultLine[], wanted: boolean[], all: number): void {
  for (let start = 0; start < lines.length; start++) {
    if (!wanted[start]) continue;
    let end = start;
    for (let gap = 0; end < lines.length && gap <= CONTEXT; end++) gap = wanted[end] ? 0 : gap + 1;
    const kinds = new Set(
      lines
        .slice(start, end)
        .flatMap(({ flags, lost }) => [...(flags ? [flags] : []), ...lost.map(({ parents }) => parents)]),
    );
    const [only] = kinds;
    if (kinds.size === 1 && only !== all) wanted.fill(false, start, end);
    start = end - 1;
  }
}

function withContext(wanted: readonly boolean[]): boolean[] {
  return wanted.map((_, at) => {
    // The place behind the last line can only show what was lost there.
    if (at === wanted.length - 1) return wanted[at] ?? false;
    for (let near = Math.max(0, at - CONTEXT); near <= at + CONTEXT; near++) if (wanted[near]) return true;
    return false;
  });
}

function hunkText(
  lines: readonly ResultLine[],
  start: number,
  end: number,
  parents: number,
  painter: DiffOptions['painter'],
): string {
  const isLast = end === lines.length;
  const count = (which: number, from: number, to: number) =>
    lines.slice(from, to).reduce((sum, { flags, lost }, at) => {
      const isReal = from + at < lines.length - 1;
      const own = isReal && (flags & (1 << which)) === 0 ? 1 : 0;
      return sum + own + lost.filter((each) => each.parents & (1 << which)).length;
    }, 0);
  const ranges = Array.from({ length: parents }, (_, which) => {
    const length = count(which, start, end);
    return `-${range(count(which, 0, start), length)}`;
  });
  const own = end - start - (isLast ? 1 : 0);
  const marks = '@'.repeat(parents + 1);
  const heading = headingOf(lines, start);
  const head = `${painter.paint('cyan', `${marks} ${ranges.join(' ')} +${range(start, own)} ${marks}`)}${heading}\n`;
  const body: string[] = [];
  for (let at = start; at < end; at++) {
    const line = lines[at];
    if (!line) continue;
    const columns = (bits: number, mark: string) =>
      Array.from({ length: parents }, (_, which) => (bits & (1 << which) ? mark : ' ')).join('');
    for (const { text, parents: bits } of line.lost)
      body.push(painter.paint('red', `${columns(bits, '-')}${text}`));
    if (at < lines.length - 1) {
      const text = `${columns(line.flags, '+')}${line.text}`;
      body.push(line.flags ? painter.paint('green', text) : text);
    }
  }
  return head + body.map((line) => `${line}\n`).join('');
}

/** In this form git writes the count even where it is one. */
function range(start: number, count: number): string {
  const text = rangeText(start, count);
  return text.includes(',') ? text : `${text},1`;
}

function headingOf(lines: readonly ResultLine[], start: number): string {
  for (let at = start - 1; at >= 0; at--) {
    const text = lines[at]?.text ?? '';
    if (/^[A-Za-z_$]/.test(text)) return ` ${text.slice(0, 40).trimEnd()}`;
  }
  return '';
}
