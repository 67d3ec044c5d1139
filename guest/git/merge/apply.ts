import { NO_STAT, type IndexEntry } from '../kit/index-file.ts';
import type { Repo } from '../kit/repo.ts';
import type { Version } from '../kit/trees.ts';
import { switchFiles } from '../tree/switch.ts';
import type { MergedTrees } from './trees.ts';

/** Brings the result of a merge into index and working tree, conflicts as stages 1 to 3. */
export async function applyMerge(
  repo: Repo,
  ours: ReadonlyMap<string, Version>,
  merged: MergedTrees,
): Promise<void> {
  const target = new Map(merged.files);
  for (const { path, shown } of merged.conflicts) if (shown) target.set(path, shown);
  await switchFiles(repo, ours, target, { what: 'merge' });
  if (merged.conflicts.length === 0) return;
  const paths = new Set(merged.conflicts.map(({ path }) => path));
  const kept: IndexEntry[] = (await repo.index()).filter(({ path }) => !paths.has(path));
  for (const { path, stages } of merged.conflicts)
    stages.forEach((version, at) => {
      if (version) kept.push({ ...NO_STAT, ...version, path, stage: at + 1 });
    });
  await repo.saveIndex(kept);
}
