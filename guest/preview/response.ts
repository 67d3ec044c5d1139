import type { Answer } from './ask.ts';

/** The answers that may have no body. */
const EMPTY: readonly number[] = [204, 205, 304];

/** An answer of the app as one of the browser's. */
export function responseOf({ status, statusText, headers, body }: Answer): Response {
  const isEmpty = EMPTY.includes(status);
  if (isEmpty) void body.cancel();
  return new Response(isEmpty ? null : body, {
    status,
    statusText: statusText.replace(/[^\t\x20-\x7e]/g, ''),
    headers: headersOf(headers),
  });
}

function headersOf(pairs: Answer['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of pairs) {
    try {
      headers.append(name, value);
    } catch {
      // A header that a browser does not understand would not have come through it either.
    }
  }
  return headers;
}
