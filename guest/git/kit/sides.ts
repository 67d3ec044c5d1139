import type { Commit } from './objects.ts';
import type { Repo } from './repo.ts';

/** Which side leads to a commit, as bits. */
export const LEFT = 1;
export const RIGHT = 2;
export const BOTH = LEFT | RIGHT;

/** How many commits are looked at beyond the last one that matters, in case that a clock was wrong; native git takes as many. */
const SLOP = 5;

/** Puts a commit into a list in which the newest is first. */
export function insert(queue: Commit[], commit: Commit): void {
  let at = queue.length;
  while (at > 0 && (queue[at - 1]?.committer.time ?? 0) < commit.committer.time) at--;
  queue.splice(at, 0, commit);
}

/**
 * Walks from both sides, the newest commit first, until all that is left is history that they share. Answers the side of
 * each commit that was met: all those of one side alone are among them.
 */
export async function sidesOf(
  repo: Repo,
  left: readonly string[],
  right: readonly string[],
): Promise<Map<string, number>> {
  const sides = new Map<string, number>();
  const queue: Commit[] = [];
  const waiting = new Set<string>();
  const reach = async (oid: string, side: number) => {
    const before = sides.get(oid) ?? 0;
    if ((before | side) === before) return;
    sides.set(oid, before | side);
    if (waiting.has(oid)) return;
    waiting.add(oid);
    insert(queue, await repo.objects.commit(oid));
  };
  for (const oid of left) await reach(oid, LEFT);
  for (const oid of right) await reach(oid, RIGHT);
  let [oldest, slop] = [Infinity, SLOP];
  for (let commit = queue.shift(); commit; commit = queue.shift()) {
    const { oid, parents, committer } = commit;
    waiting.delete(oid);
    const side = sides.get(oid) ?? 0;
    if (side !== BOTH) oldest = Math.min(oldest, committer.time);
    for (const parent of parents) await reach(parent, side);
    const isShared =
      (queue[0]?.committer.time ?? 0) < oldest && [...waiting].every((each) => sides.get(each) === BOTH);
    slop = isShared ? slop - 1 : SLOP;
    if (slop < 0) break;
  }
  return sides;
}

/** How many commits only one of two leads to. */
export async function countSides(
  repo: Repo,
  left: string,
  right: string,
): Promise<{ left: number; right: number }> {
  if (left === right) return { left: 0, right: 0 };
  const sides = [...(await sidesOf(repo, [left], [right])).values()];
  return {
    left: sides.filter((side) => side === LEFT).length,
    right: sides.filter((side) => side === RIGHT).length,
  };
}

/** The commits of a history that is left out, as far as the walk from other commits comes upon them. */
export async function hiddenFrom(
  repo: Repo,
  include: readonly string[],
  exclude: readonly string[],
): Promise<Set<string>> {
  if (exclude.length === 0) return new Set();
  const sides = await sidesOf(repo, include, exclude);
  return new Set([...sides].flatMap(([oid, side]) => (side & RIGHT ? [oid] : [])));
}

/** The commits that both sides lead to, and to which no other one of these does that was met. */
export async function firstShared(repo: Repo, left: string, right: string): Promise<string[]> {
  const sides = await sidesOf(repo, [left], [right]);
  const shared = [...sides].flatMap(([oid, side]) => (side === BOTH ? [oid] : []));
  const below = new Set<string>();
  for (const oid of shared) for (const parent of (await repo.objects.commit(oid)).parents) below.add(parent);
  return shared.filter((oid) => !below.has(oid));
}
