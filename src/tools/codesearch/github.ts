import { messageOf } from '../../base/message-of.ts';
import * as z from 'zod';
import { FaultError } from '../../base/fault.ts';
import { request, type SearchAccess } from '../websearch/service.ts';
import type { CodeHit, CodeQuery } from './query.ts';

export const RESULTS = 20;
export const SECONDS = 30;
/** GitHub's limit on the characters of a query, without the qualifiers. */
export const MAX_WORDS = 256;

const answer = z.object({
  incomplete_results: z.boolean().optional(),
  items: z.array(
    z.object({
      path: z.string(),
      html_url: z.string(),
      repository: z.object({ full_name: z.string() }),
      text_matches: z.array(z.object({ fragment: z.string().nullish() })).optional(),
    }),
  ),
});

/** Searches public repositories, and those that the token may read, with GitHub's search. */
export async function searchGitHub(
  access: SearchAccess,
  query: CodeQuery,
  signal: AbortSignal,
): Promise<readonly CodeHit[]> {
  const pattern = query.useRegexp ? patternOf(query.query) : undefined;
  const words = pattern ? literalOf(query.query) : query.query;
  if (words.length > MAX_WORDS)
    throw new FaultError({
      code: 'query-too-long',
      what: `GitHub takes at most ${MAX_WORDS} characters in a query.`,
      next: 'Use a shorter query.',
    });
  const { items } = await request(access, {
    service: 'github',
    path: `/search/code?per_page=${RESULTS}&q=${encodeURIComponent(terms(words, query))}`,
    init: {
      headers: {
        accept: 'application/vnd.github.text-match+json',
        authorization: `Bearer ${access.key('github') ?? ''}`,
      },
    },
    answer,
    signal,
    seconds: SECONDS,
  });
  const hits = items.map(({ path, html_url: url, repository, text_matches: matches = [] }) => ({
    repo: repository.full_name,
    path,
    url,
    excerpts: matches.flatMap(({ fragment }) => fragment ?? []),
  }));
  if (!pattern) return hits;
  return hits
    .map((hit) => ({ ...hit, excerpts: hit.excerpts.filter((excerpt) => pattern.test(excerpt)) }))
    .filter(({ excerpts }) => excerpts.length > 0);
}

function terms(words: string, { language, repo, path }: CodeQuery): string {
  const quoted = `"${words.replace(/["\\]/g, ' ')}"`;
  return [
    quoted,
    ...language.map((name) => `language:${valueOf(name)}`),
    ...(repo === undefined ? [] : [`repo:${valueOf(repo)}`]),
    ...(path === undefined ? [] : [`path:${valueOf(path)}`]),
  ].join(' ');
}

/** Quotes a value, so that nothing in it can start another qualifier. */
function valueOf(text: string): string {
  const plain = text.trim().replace(/["\\]/g, '');
  return /\s/.test(plain) ? `"${plain}"` : plain;
}

function patternOf(source: string): RegExp {
  try {
    return new RegExp(source, 'm');
  } catch (error) {
    throw new FaultError({
      code: 'bad-pattern',
      what: `This is not a regular expression: ${messageOf(error)}`,
    });
  }
}

/** The longest text that every match must contain, as GitHub's search does not support expressions. */
export function literalOf(source: string): string {
  const certain = source
    // Groups, classes and optional parts are not certain to occur.
    .replace(/\((?:[^()\\]|\\.)*\)[*?+]?|\[(?:[^\]\\]|\\.)*\][*?+]?/g, '\n')
    .replace(/(?:\\.|[^\\])(?:[*?]|\{[^}]*\})/g, '\n');
  const runs = certain.includes('|') ? [] : certain.split(/\\[A-Za-z0-9]|(?<!\\)[.^$+()[\]{}]|\n/);
  const longest = runs
    .map((run) => run.replace(/\\(.)/g, '$1'))
    .reduce((best, run) => (run.trim().length > best.length ? run.trim() : best), '');
  if (longest.length >= 3) return longest;
  throw new FaultError({
    code: 'pattern-too-open',
    what: 'GitHub cannot search for this expression: it has no literal text of at least three characters.',
    next: 'Add literal text to it, or search for plain text.',
  });
}
