import { visibilityTest } from '../../src/workspace/visibility.ts';
import type { GlobQuery, GlobResult } from '../../src/workspace/workspace.ts';
import type { SearchQuery } from '../protocol.ts';
import { candidateTest } from './candidates.ts';
import type { Replica } from './replica.ts';

export function glob(replica: Replica, query: SearchQuery<GlobQuery>): GlobResult {
  const isBelow = candidateTest(query.path, undefined);
  const isCandidate = candidateTest(query.path, query.pattern);
  const isVisible = visibilityTest(query.visibility);
  const below = replica.files().filter(({ path }) => isBelow(path));
  const visible = below.filter(({ path }) => isVisible(path));
  const found = visible.filter(({ path }) => isCandidate(path)).sort((a, b) => b.modified - a.modified);
  return {
    paths: found.slice(0, query.limit).map(({ path }) => path),
    truncated: found.length > query.limit,
    timedOut: false,
    hidden: below.length - visible.length,
  };
}
