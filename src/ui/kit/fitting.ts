/** The score of a path: lower is better. Of equal ranks the shorter path is better. */
interface Ranked {
  readonly path: string;
  readonly rank: number;
}

/**
 * The paths that match the typed text, best first: at the start of the name, within the name, in the folders, at the
 * starts of the name's words, then letters in order, in the name or anywhere. Only the best are kept while the paths
 * are looked through, so that tens of thousands take milliseconds.
 */
export function fitting(paths: readonly string[], query: string, limit: number): readonly string[] {
  const wanted = query.toLowerCase();
  const best: Ranked[] = [];
  for (const path of paths) {
    const rank = rankOf(path, wanted);
    if (rank === undefined) continue;
    const ranked = { path, rank };
    const worst = best.at(-1);
    if (best.length === limit && worst && compare(worst, ranked) <= 0) continue;
    best.splice(placeIn(best, ranked), 0, ranked);
    if (best.length > limit) best.pop();
  }
  return best.map(({ path }) => path);
}

function compare(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1);
}

function placeIn(best: readonly Ranked[], ranked: Ranked): number {
  let from = 0;
  let to = best.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = best[middle];
    if (other && compare(other, ranked) <= 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

function rankOf(path: string, wanted: string): number | undefined {
  const lower = path.toLowerCase();
  const start = lower.lastIndexOf('/') + 1;
  if (lower.startsWith(wanted) || lower.startsWith(wanted, start)) return 0;
  const at = lower.lastIndexOf(wanted);
  if (at >= start) return 1;
  if (at >= 0) return 2;
  if (!inOrder(lower, wanted, 0)) return undefined;
  if (!inOrder(lower, wanted, start)) return 5;
  return initials(path.slice(start).replace(/\.[^.]*$/, '')).startsWith(wanted) ? 3 : 4;
}

/** The first letters of a name's words, in lower case: `ft` for both `FilesTab` and `file-tree`. */
function initials(name: string): string {
  return (name.match(/[A-Z]|(?<![A-Za-z0-9])[a-z0-9]/g) ?? []).join('').toLowerCase();
}

function inOrder(path: string, wanted: string, from: number): boolean {
  let at = from;
  for (const character of wanted) {
    at = path.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
