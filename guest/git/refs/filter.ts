import type { Given } from '../kit/options.ts';
import type { Repo } from '../kit/repo.ts';
import { resolve, resolveCommit } from '../kit/revisions.ts';
import { isAncestor } from '../kit/walk.ts';
import type { NamedRef } from './format.ts';

/** `commit` is what the ref leads to through tags. */
type Test = (oid: string, commit: string) => Promise<boolean> | boolean;

/** Keeps the refs that `--merged`, `--contains` and `--points-at` ask for, or those that their `--no-` forms do. */
export async function filterRefs(repo: Repo, refs: readonly NamedRef[], given: Given): Promise<NamedRef[]> {
  const tests: Test[] = [];
  for (const [option, value] of given.order) {
    const [, no, kind] = /^(no-)?(merged|contains|points-at)$/.exec(option) ?? [];
    if (kind === undefined) continue;
    const word = value || 'HEAD';
    const target = await (kind === 'points-at' ? resolve : resolveCommit)(repo, word);
    if (kind === 'points-at') tests.push((oid, commit) => oid === target || commit === target);
    else if (kind === 'merged')
      tests.push(async (_, commit) => (await isAncestor(repo, commit, target)) === (no === undefined));
    else tests.push(async (_, commit) => (await isAncestor(repo, target, commit)) === (no === undefined));
  }
  if (tests.length === 0) return [...refs];
  const kept: NamedRef[] = [];
  for (const ref of refs) {
    const commit = await repo.objects.peel(ref.oid, 'commit');
    const passed = await Promise.all(tests.map((test) => commit !== undefined && test(ref.oid, commit)));
    if (passed.every(Boolean)) kept.push(ref);
  }
  return kept;
}
