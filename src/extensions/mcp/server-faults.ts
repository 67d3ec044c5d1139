import { SdkError, SdkErrorCode, SdkHttpError, SseError } from '@modelcontextprotocol/client';
import { FaultError, type Fault } from '../../base/fault.ts';
import { asSentence } from '../../base/sentence.ts';
import { messageOf } from '../../base/message-of.ts';
import type { ServerConfig } from '../../config/servers.ts';

/** The status with which a server answered that refused a request. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status;
  return error instanceof SseError ? error.code : undefined;
}

/** The server has forgotten the session, so it did not carry out the request. A new session must begin. */
export function isSessionUnknown(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** Browsers throw a TypeError where a request got no answer that the page may read. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError;
}

/** A server that was connected, and does not answer any more. */
export function lostFault(name: string): Fault {
  return {
    code: 'unreachable',
    what: `${name} cannot be reached any more.`,
    next: 'See whether it still runs. The next step tries it again, and so does Connect again under Settings, Tools and servers.',
  };
}

/** Why a server could not be connected, and what to do about it. */
export function connectFault(name: string, { type }: ServerConfig, error: unknown): Fault {
  if (error instanceof FaultError) return error.fault;
  const what = messageOf(error);
  if (/regist|client_id/i.test(what))
    return {
      code: 'no-client',
      what: `${name} does not register clients itself: ${what}`,
      next: 'Register a client there and enter its client id.',
    };
  const status = statusOf(error);
  if (status !== undefined) return statusFault(name, status);
  if (type === 'remote' && isUnreachable(error))
    return {
      code: 'unreachable',
      what: `${name} cannot be reached from this page.`,
      next: 'Check its address, and that it allows requests from other origins (CORS).',
    };
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent)
    return {
      code: 'no-endpoint',
      what: `What answers at the address of ${name} is no MCP endpoint: it sends something other than MCP messages (${what}).`,
      next: 'Check the address, and connect again.',
    };
  return {
    code: 'server-failed',
    what: asSentence(what),
    next: 'Check its settings, and connect again.',
  };
}

function statusFault(name: string, status: number): Fault {
  if (status === 401 || status === 403)
    return {
      code: 'server-refused',
      what: `${name} lets this page do nothing: it answered with status ${status}.`,
      next: 'Check its headers and its sign-in, and connect again.',
    };
  if (status >= 500)
    return {
      code: 'server-failed',
      what: `${name} failed: it answered with status ${status}.`,
      next: 'Connect again later.',
    };
  return {
    code: 'no-endpoint',
    what: `There is no MCP endpoint at the address of ${name}: it answered with status ${status}.`,
    next: 'Check the address, whose path is often /mcp, and connect again.',
  };
}
