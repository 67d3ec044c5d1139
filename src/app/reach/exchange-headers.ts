import { GITHUB_TOKEN_HEADER, type NetHeaders, type NetRequest } from '../../protocol/exchange.ts';

/** Headers of the connection, and the program's name, which would need a preflight request to most servers. */
const OWN_HEADERS = new Set([
  ...'host connection keep-alive transfer-encoding content-length user-agent sec-fetch-mode accept-encoding cookie origin referer'.split(
    ' ',
  ),
  GITHUB_TOKEN_HEADER,
]);

/**
 * The headers with which npm tells a registry about itself, and those that save it an answer that it has in its cache. A
 * registry lets pages read what it answers to a plain request, but allows no preflight, which any of these would need.
 */
const ABOUT_NPM = /^(npm|pacote)-/;
const CACHED = new Set(['if-none-match', 'if-modified-since']);

export function isSent(name: string, { method, headers }: NetRequest): boolean {
  if (OWN_HEADERS.has(name)) return false;
  if (method !== 'GET' && method !== 'HEAD') return true;
  if (ABOUT_NPM.test(name)) return false;
  return !CACHED.has(name) || !headers.some(([other]) => ABOUT_NPM.test(other.toLowerCase()));
}

/** Drops the headers about the packed body, because the browser has unpacked it. */
export function headersOf(response: Response, method: string): NetHeaders {
  const misleading = method === 'HEAD' ? [] : ['content-encoding', 'content-length'];
  return [...response.headers].filter(([name]) => !misleading.includes(name));
}
