import type { Git } from '../kit/git.ts';
import { quotePath } from '../kit/quote.ts';
import type { Repo } from '../kit/repo.ts';
import type { Pair, Version } from '../kit/trees.ts';
import type { DiffOptions, Format } from './options.ts';
import { contentsOf, fileStat, patchOf, type Contents } from './patch.ts';
import { picked } from './pickaxe.ts';
import { KEPT, plainChange, withRenames, type Change, type ReadVersion } from './renames.ts';
import { namesOf, statTable, summaryLine, summaryOf, type FileStat } from './stat.ts';

/** Turns pairs into changes as the options say: with renames, filtered, from the other side. */
export async function changesFor(
  pairs: readonly Pair[],
  read: ReadVersion,
  options: DiffOptions,
): Promise<Change[]> {
  const { renames, copies, reversed } = options;
  const turned = reversed
    ? pairs.map(({ path, before, after }) => ({ path, before: after, after: before }))
    : pairs;
  const changes =
    renames === undefined
      ? turned.map(plainChange)
      : await withRenames(turned, read, { least: renames, copies });
  return wantedOf(changes, read, options);
}

/** The changes that `--diff-filter`, `-S` and `-G` leave. */
export async function wantedOf(
  changes: readonly Change[],
  read: ReadVersion,
  { filter, pickaxe }: DiffOptions,
): Promise<Change[]> {
  const wanted = changes.filter(({ status }) => filter === '' || passes(status, filter));
  return pickaxe ? picked(wanted, read, pickaxe) : wanted;
}

function passes(status: Change['status'], filter: string): boolean {
  const wanted = /[A-Z]/.test(filter);
  return wanted ? filter.includes(status) : !filter.includes(status.toLowerCase());
}

/** Reads versions from the objects, and those that only the working tree has from there. */
export function readsBoth(repo: Repo, pairs: readonly Pair[]): ReadVersion {
  const inTree = new Map(pairs.flatMap(({ path, after }) => (after ? [[after.oid, path] as const] : [])));
  return async ({ oid }, path) => {
    if (!(await repo.mayRead(path))) return KEPT;
    const at = inTree.get(oid);
    const stat = at === undefined ? undefined : await repo.worktree.lstat(at);
    return at !== undefined && stat ? repo.worktree.bytes(at, stat) : repo.objects.blob(oid);
  };
}

/** Prints changes in all formats that were asked for. */
export async function showChanges(
  git: Git,
  changes: readonly Change[],
  read: ReadVersion,
  options: DiffOptions,
  formats: readonly Format[] = options.formats,
): Promise<void> {
  const needsStats = formats.some((format) => /stat$/.test(format));
  const stats: FileStat[] = [];
  const contents = new Map<Change, Contents>();
  if (needsStats || formats.includes('patch') || formats.includes('check'))
    for (const change of changes) {
      if (change.status === 'U') continue;
      const both = await contentsOf(change, read);
      if (needsStats) stats.push(fileStat(change, both, options));
      if (formats.includes('patch') || formats.includes('check')) contents.set(change, both);
    }
  const shownStats = stats.filter(
    ({ change, added, removed, isBinary }) =>
      isBinary || added + removed > 0 || change.status !== 'M' || change.before?.mode !== change.after?.mode,
  );
  let isFirst = true;
  for (const format of formats) {
    if (format === 'patch') {
      if (!isFirst && changes.length > 0) git.out('\n');
      for (const change of changes)
        git.out(
          patchOf(
            change,
            contents.get(change) ?? { before: new Uint8Array(), after: new Uint8Array() },
            options,
          ),
        );
    } else git.out(formatText(format, changes, shownStats, options));
    isFirst = false;
  }
}

function formatText(
  format: Format,
  changes: readonly Change[],
  stats: readonly FileStat[],
  options: DiffOptions,
): string {
  const end = options.endsWithZero ? '\0' : '\n';
  const name = (path: string) => (options.endsWithZero ? path : quotePath(path));
  switch (format) {
    case 'stat':
      return stats.length === 0 ? '' : statTable(stats, options.painter, options.stat) + summaryLine(stats);
    case 'shortstat':
      return stats.length === 0 ? '' : summaryLine(stats);
    case 'numstat':
      return stats.map((stat) => numberLine(stat, options)).join('');
    case 'summary':
      return summaryOf(changes);
    case 'name-only':
      return changes.map(({ path }) => `${name(path)}${end}`).join('');
    case 'name-status':
      return changes.map((change) => statusLine(change, options)).join('');
    case 'raw':
      return changes.map((change) => rawLine(change, options)).join('');
    default:
      return '';
  }
}

function numberLine({ change, added, removed, isBinary }: FileStat, { endsWithZero }: DiffOptions): string {
  const counts = isBinary ? '-\t-' : `${added}\t${removed}`;
  if (!endsWithZero) return `${counts}\t${namesOf(change)}\n`;
  return change.from === change.path
    ? `${counts}\t${change.path}\0`
    : `${counts}\t\0${change.from}\0${change.path}\0`;
}

function statusOf({ status, score }: Change): string {
  return status === 'R' || status === 'C' ? `${status}${String(score).padStart(3, '0')}` : status;
}

function pathsOf({ from, path, status }: Change, { endsWithZero }: DiffOptions): string {
  const both = status === 'R' || status === 'C' ? [from, path] : [path];
  return endsWithZero ? `${both.join('\0')}\0` : `${both.map((each) => quotePath(each)).join('\t')}\n`;
}

function statusLine(change: Change, options: DiffOptions): string {
  return `${statusOf(change)}${options.endsWithZero ? '\0' : '\t'}${pathsOf(change, options)}`;
}

function rawLine(change: Change, options: DiffOptions): string {
  const mode = (version: Version | undefined) => (version?.mode ?? 0).toString(8).padStart(6, '0');
  const id = (version: Version | undefined) => (version?.oid ?? '0'.repeat(40)).slice(0, options.idLength);
  const { before, after } = change;
  const head = `:${mode(before)} ${mode(after)} ${id(before)} ${id(after)} ${statusOf(change)}`;
  return `${head}${options.endsWithZero ? '\0' : '\t'}${pathsOf(change, options)}`;
}
