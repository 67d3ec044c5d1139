import type { ChangedPath, FileVersion, ReadVersion } from './compare.ts';

/** A file was renamed if at least this share of the larger version is in both. git has the same default. */
const LEAST_SHARED = 0.5;

/** With more pairs of a removed and an added file than that, only renames without edits are found. */
const MOST_PAIRS = 2_500;

/** Larger files are not compared, in bytes. */
const MOST_BYTES = 1_000_000;

interface Candidate {
  readonly change: ChangedPath;
  readonly lines: ReadonlyMap<string, number>;
  /** The length of the text in UTF-16 units. */
  readonly length: number;
}

/**
 * Joins a removed and an added text file into one rename where they have most of their lines in common. Files that
 * cannot be read stay as they were listed.
 */
export async function withEditedRenames(
  changes: readonly ChangedPath[],
  read: ReadVersion,
): Promise<readonly ChangedPath[]> {
  const removed = changes.filter(({ before, after }) => !after && isComparable(before));
  const added = changes.filter(({ before, after }) => !before && isComparable(after));
  const pairs = removed.length * added.length;
  if (pairs === 0 || pairs > MOST_PAIRS) return changes;
  const [old, now] = await Promise.all([candidates(removed, read), candidates(added, read)]);
  const origins = bestPairs(old, now);
  const gone = new Set(origins.values());
  return changes.flatMap((change) => {
    if (gone.has(change)) return [];
    const origin = origins.get(change);
    return origin ? { ...change, from: origin.path, before: origin.before } : change;
  });
}

/** The share of the larger text that stands in both, from 0 to 1, counted in whole lines. */
export function sharedPart(a: string, b: string): number {
  return shareOf(linesOf(a), linesOf(b));
}

function isComparable(version: FileVersion | null): boolean {
  return version?.type === 'file' && version.size > 0 && version.size <= MOST_BYTES;
}

async function candidates(changes: readonly ChangedPath[], read: ReadVersion): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const change of changes) {
    const version = change.before ?? change.after;
    const bytes = version && (await read(version).catch(() => null));
    if (bytes && !bytes.includes(0)) found.push({ change, ...linesOf(new TextDecoder().decode(bytes)) });
  }
  return found;
}

function linesOf(text: string): Omit<Candidate, 'change'> {
  const lines = new Map<string, number>();
  for (const line of text.split(/(?<=\n)/)) lines.set(line, (lines.get(line) ?? 0) + 1);
  return { lines, length: text.length };
}

function shareOf(a: Omit<Candidate, 'change'>, b: Omit<Candidate, 'change'>): number {
  const longer = Math.max(a.length, b.length);
  if (longer === 0 || Math.min(a.length, b.length) < longer * LEAST_SHARED) return 0;
  let shared = 0;
  for (const [line, count] of a.lines) shared += line.length * Math.min(count, b.lines.get(line) ?? 0);
  return shared / longer;
}

/** Maps added files to removed ones: the most alike first, and the same name first among those equally alike. */
function bestPairs(
  old: readonly Candidate[],
  now: readonly Candidate[],
): ReadonlyMap<ChangedPath, ChangedPath> {
  const pairs = now.flatMap((after) =>
    old.flatMap((before) => {
      const share = shareOf(before, after);
      if (share < LEAST_SHARED) return [];
      const named = nameOf(before.change.path) === nameOf(after.change.path) ? 1 : 0;
      return { before: before.change, after: after.change, share, named };
    }),
  );
  pairs.sort((a, b) => b.share - a.share || b.named - a.named);
  const origins = new Map<ChangedPath, ChangedPath>();
  const taken = new Set<ChangedPath>();
  for (const { before, after } of pairs) {
    if (taken.has(before) || origins.has(after)) continue;
    taken.add(before);
    origins.set(after, before);
  }
  return origins;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
