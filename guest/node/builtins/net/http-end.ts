import type { HttpEnd } from './arguments.ts';

export type { HttpEnd };

let current: HttpEnd | undefined;

/** Connects the socket of a request, while a program's own `createConnection` runs for it. Undefined otherwise. */
export const httpEnd = (): HttpEnd | undefined => current;

/**
 * Runs a function that opens a connection for a request. Hosts outside can only be reached by HTTP, and nothing else shows
 * that a socket is meant for HTTP. A socket that is opened later, after the call, is like any other. Without an `end`, the
 * function opens plain connections, which lead to servers of the workspace only.
 */
export function openingForHttp<Opened>(end: HttpEnd | undefined, open: () => Opened): Opened {
  const before = current;
  current = end;
  try {
    return open();
  } finally {
    current = before;
  }
}
