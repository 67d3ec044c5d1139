import * as z from 'zod';
import type { WebHit, WebQuery } from './query.ts';
import { request, type SearchAccess } from './service.ts';

const text = z.string().nullish();
const searchAnswer = z.object({
  results: z.array(z.object({ title: text, url: z.string(), publishedDate: text, author: text, text })),
});
const contextAnswer = z.object({ response: z.string(), resultsCount: z.number().nullish() });

export const SEARCH_SECONDS = 25;
const CONTEXT_SECONDS = 30;

/** Searches the web with Exa. */
export async function searchWithExa(
  access: SearchAccess,
  { query, numResults, type, characters }: WebQuery,
  signal: AbortSignal,
): Promise<readonly WebHit[]> {
  const maxCharacters = Math.max(200, Math.floor(characters / numResults));
  const { results } = await request(access, {
    service: 'exa',
    path: '/search',
    init: post(access, { query, numResults, type, contents: { text: { maxCharacters } } }),
    answer: searchAnswer,
    signal,
    seconds: SEARCH_SECONDS,
  });
  return results.slice(0, numResults).map(({ title, url, publishedDate, author, text }) => ({
    title: title || url,
    url,
    ...(publishedDate && { published: publishedDate.slice(0, 10) }),
    ...(author && { author }),
    text: (text ?? '').slice(0, maxCharacters),
  }));
}

/** Fetches excerpts of code and documentation from Exa, as one text. Empty where it found nothing. */
export async function codeContextFromExa(
  access: SearchAccess,
  query: { readonly query: string; readonly tokensNum: number },
  signal: AbortSignal,
): Promise<string> {
  const { response, resultsCount } = await request(access, {
    service: 'exa',
    path: '/context',
    init: post(access, query),
    answer: contextAnswer,
    signal,
    seconds: CONTEXT_SECONDS,
  });
  return resultsCount === 0 ? '' : response;
}

function post(access: SearchAccess, body: object): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': access.key('exa') ?? '' },
    body: JSON.stringify(body),
  };
}
