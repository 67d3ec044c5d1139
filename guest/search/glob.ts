import { visibilityTest } from '../../src/workspace/visibility.ts';
import type { GlobQuery, GlobResult } from '../../src/workspace/workspace.ts';
import type { SearchQuery } from '../protocol.ts';
import { candidateTest } from './candidates.ts';
import type { Replica } from './replica.ts';

export function glob(replica: Replica, query: SearchQuery<GlobQuery>): GlobResult {
  const isCandidate = candidateTest(query.path, query.pattern);
  const isVisible = visibilityTest(query.visibility);
  const found = replica.files().filter(({ path }) => isCandidate(path));
  const visible = found.filter(({ path }) => isVisible(path));
  visible.sort((a, b) => b.modified - a.modified);
  return {
    paths: visible.slice(0, query.limit).map(({ path }) => path),
    truncated: visible.length > query.limit,
    timedOut: false,
    hidden: found.length - visible.length,
  };
}
