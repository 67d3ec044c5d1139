import type { Policed } from '../../base/policed.ts';
import { isLoopback } from './hosts.ts';

/** An exchange that failed, with the error code that the program gets. */
export class ExchangeError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export function noRoom(limit: number): ExchangeError {
  return new ExchangeError(
    'ENOBUFS',
    `requests to hosts outside that are under way hold ${limit / 2 ** 20} MB together already`,
  );
}

export function notAllowed({ hostname, host }: URL): ExchangeError {
  if (hostname.startsWith('['))
    return new ExchangeError(
      'EACCES',
      `${host} cannot be reached: only hosts that have a name can be allowed`,
    );
  return new ExchangeError(
    'EACCES',
    `${hostname} cannot be reached: ${host} is not among the hosts that programs may reach. The user can add it under Settings, Tools and servers`,
  );
}

export function tooLarge(what: string, limit: number): ExchangeError {
  return new ExchangeError('EMSGSIZE', `${what} is larger than ${limit / 2 ** 20} MB`);
}

/**
 * Finds the reason for a failed request. A browser reports the same error for a server that is down, one that forbids
 * reading, and a redirect that was stopped.
 */
export async function unanswered(policed: Policed, url: URL, signal: AbortSignal): Promise<ExchangeError> {
  const reachable = await policed.reachable(url, signal);
  signal.throwIfAborted();
  if (policed.stopped(url))
    return new ExchangeError(
      'ERR_REDIRECT',
      `${url.host} redirects to a host that is not among those that programs may reach; the browser does not say which`,
    );
  const cors = `does not allow web pages to read it (CORS), and programs ask through this page`;
  if (reachable === true) return new ExchangeError('ERR_CORS', `${url.host} answers, but ${cors}`);
  if (reachable === undefined)
    return new ExchangeError('EHOSTUNREACH', `${url.host} gave no answer: it is down, or ${cors}`);
  const code = /^[\d.]+$/.test(url.hostname) || isLoopback(url.hostname) ? 'ECONNREFUSED' : 'ENOTFOUND';
  return new ExchangeError(code, `nothing answers at ${url.host}`);
}
