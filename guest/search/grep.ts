import type { GrepMatch, GrepQuery, GrepResult } from '../../src/protocol/workspace-values.ts';
import type { SearchQuery } from '../shared/protocol.ts';
import { candidateTest } from './candidates.ts';
import { lineAt, lineFinder, type Line, type LineFinder } from './lines.ts';
import type { Replica } from './replica.ts';
import { Scope } from './scope.ts';

const MAX_LINE = 2_000;
const PARTIAL_EVERY_MS = 25;

/**
 * Finds matching lines, in the order of the paths. Now and then `partial` gets everything found so far, so that something
 * is left when a search that hangs in one expression has to be ended. Throws a SyntaxError for an invalid pattern.
 */
export function grep(
  replica: Replica,
  query: SearchQuery<GrepQuery>,
  partial: (result: GrepResult) => void = () => {},
): GrepResult {
  const find = lineFinder(query.pattern, query.ignoreCase ?? false);
  const isCandidate = query.texts ? () => true : candidateTest(query.path, query.include);
  const scope = new Scope(replica, query, query.include);
  const matches: GrepMatch[] = [];
  let truncated = false;
  let next = performance.now() + PARTIAL_EVERY_MS;
  for (const { path, text } of query.texts ?? scope.files()) {
    if (truncated || text === null || !isCandidate(path)) continue;
    truncated = collect(find, { path, text }, matches, query);
    if (performance.now() < next) continue;
    const { hidden, ignored } = scope;
    partial({ matches: matches.slice(), truncated, timedOut: false, hidden, ignored });
    next = performance.now() + PARTIAL_EVERY_MS;
  }
  return { matches, truncated, timedOut: false, hidden: scope.hidden, ignored: scope.ignored };
}

/** Adds the file's matching lines to `matches`. Returns true if that makes more than `limit` in all. */
function collect(
  find: LineFinder,
  { path, text }: { readonly path: string; readonly text: string },
  matches: GrepMatch[],
  { limit, context = 0 }: Pick<GrepQuery, 'limit' | 'context'>,
): boolean {
  let line = 1;
  let counted = 0;
  for (let found = find(text, 0); found; found = find(text, found.next)) {
    if (matches.length >= limit) return true;
    line += lineBreaks(text, counted, found.start);
    counted = found.start;
    const match = { path, line, text: text.slice(found.start, Math.min(found.end, found.start + MAX_LINE)) };
    matches.push(context > 0 ? { ...match, ...around(text, found, context) } : match);
  }
  return false;
}

function around(text: string, { start, next }: Line, count: number): Pick<GrepMatch, 'before' | 'after'> {
  const before: string[] = [];
  for (let at = start; at > 0 && before.length < count;) {
    const line = lineAt(text, at < 2 ? 0 : text.lastIndexOf('\n', at - 2) + 1);
    before.unshift(text.slice(line.start, Math.min(line.end, line.start + MAX_LINE)));
    at = line.start;
  }
  const after: string[] = [];
  for (let at = next; at < text.length && after.length < count;) {
    const line = lineAt(text, at);
    after.push(text.slice(line.start, Math.min(line.end, line.start + MAX_LINE)));
    at = line.next;
  }
  return { before, after };
}

function lineBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
