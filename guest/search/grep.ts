import { visibilityTest } from '../../src/workspace/visibility.ts';
import type { GrepMatch, GrepQuery, GrepResult } from '../../src/workspace/workspace.ts';
import type { SearchQuery } from '../protocol.ts';
import { candidateTest } from './candidates.ts';
import { lineFinder, type LineFinder } from './lines.ts';
import type { Replica } from './replica.ts';

const MAX_LINE = 2_000;
const PARTIAL_EVERY_MS = 25;

/**
 * Lines that match, by path. `partial` gets all that was found so far, now and then: whoever has to end a search that
 * hangs in one expression still has that. Throws a SyntaxError for an invalid pattern.
 */
export function grep(
  replica: Replica,
  query: SearchQuery<GrepQuery>,
  partial: (result: GrepResult) => void = () => {},
): GrepResult {
  const find = lineFinder(query.pattern, query.ignoreCase ?? false);
  const isBelow = query.texts ? () => true : candidateTest(query.path, undefined);
  const isCandidate = query.texts ? () => true : candidateTest(query.path, query.include);
  const isVisible = visibilityTest(query.texts ? [] : query.visibility);
  const matches: GrepMatch[] = [];
  let truncated = false;
  let hidden = 0;
  let next = performance.now() + PARTIAL_EVERY_MS;
  for (const { path, text } of query.texts ?? replica.files()) {
    if (!isBelow(path)) continue;
    if (!isVisible(path)) {
      hidden++;
      continue;
    }
    if (truncated || text === null || !isCandidate(path)) continue;
    truncated = collect(find, path, text, matches, query.limit);
    if (performance.now() < next) continue;
    partial({ matches: matches.slice(), truncated, timedOut: false, hidden });
    next = performance.now() + PARTIAL_EVERY_MS;
  }
  return { matches, truncated, timedOut: false, hidden };
}

/** Adds the file's matching lines; true if there were more than `limit` in all. */
function collect(find: LineFinder, path: string, text: string, matches: GrepMatch[], limit: number): boolean {
  let line = 1;
  let counted = 0;
  for (let found = find(text, 0); found; found = find(text, found.next)) {
    if (matches.length >= limit) return true;
    line += lineBreaks(text, counted, found.start);
    counted = found.start;
    matches.push({ path, line, text: text.slice(found.start, Math.min(found.end, found.start + MAX_LINE)) });
  }
  return false;
}

function lineBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
