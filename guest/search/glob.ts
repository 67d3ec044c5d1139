import type { GlobQuery, GlobResult } from '../../src/protocol/workspace-values.ts';
import type { SearchQuery } from '../shared/protocol.ts';
import { candidateTest } from './candidates.ts';
import type { Replica } from './replica.ts';
import { Scope } from './scope.ts';

export function glob(replica: Replica, query: SearchQuery<GlobQuery>): GlobResult {
  const isCandidate = candidateTest(query.path, query.pattern);
  const scope = new Scope(replica, query, query.pattern);
  const found = [...scope.files()]
    .filter(({ path }) => isCandidate(path))
    .sort((a, b) => b.modified - a.modified);
  return {
    paths: found.slice(0, query.limit).map(({ path }) => path),
    truncated: found.length > query.limit,
    timedOut: false,
    hidden: scope.hidden,
    ignored: scope.ignored,
  };
}
