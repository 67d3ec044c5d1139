import { argTypeError, nodeError, outOfRange } from '../internal/errors.ts';
import type { Agent, AgentOptions, PooledSocket } from './agent.ts';
import { validateHeaderName } from './headers.ts';

export interface RequestOptions extends AgentOptions {
  readonly hostname?: string | null;
  readonly defaultPort?: number | string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | number | string[]>> | readonly string[];
  readonly auth?: string | null;
  readonly agent?: Agent | false | null | undefined;
  readonly setHost?: boolean;
  readonly setDefaultHeaders?: boolean;
  readonly insecureHTTPParser?: boolean;
  readonly maxHeaderSize?: number;
  readonly joinDuplicateHeaders?: boolean;
  readonly createConnection?: (
    options: RequestOptions,
    done: (error: Error | null, socket?: PooledSocket) => void,
  ) => PooledSocket | undefined;
}

/** The arguments of `http.request`: a URL or options, more options, and a callback. All but one may be missing. */
export type RequestArgs = [first: unknown, second?: unknown, third?: unknown];

type ResponseListener = (response: unknown) => void;

/** The arguments of a request after their checks, with the defaults filled in. */
export interface RequestTarget {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly protocol: string;
  readonly defaultPort: number | string | undefined;
  /** The options as given, with `host` and `port` filled in. */
  readonly options: RequestOptions;
}

/** Merges the arguments of `http.request` into options. `urlOptions` is `url.urlToHttpOptions`. */
export function mergeArguments(
  [first, second, third]: RequestArgs,
  urlOptions: (url: URL) => object,
): { options: RequestOptions; callback: ResponseListener | undefined } {
  const callback = [second, third].find((each): each is ResponseListener => typeof each === 'function');
  const more = typeof second === 'object' && second !== null ? second : {};
  if (typeof first === 'string' || first instanceof URL)
    return { options: { ...urlOptions(new URL(first)), ...more }, callback };
  if (typeof first !== 'object' || first === null)
    throw argTypeError('options', ['Object', 'string', 'URL'], first);
  return { options: { ...first, ...more }, callback };
}

/**
 * The protocol and port of an agent. Agents that serve both protocols, those of the package agent-base, find out which one
 * is meant by looking for `node:https` in the stack, in which node has a frame of that module.
 */
function ownValues(agent: Agent, asking: string): Pick<Agent, 'protocol' | 'defaultPort'> {
  if (asking !== 'https:') return { protocol: agent.protocol, defaultPort: agent.defaultPort };
  const before = Error.prepareStackTrace;
  Error.prepareStackTrace = (error: Error) => `${String(error)}\n    at request (node:https:366:10)`;
  try {
    return { protocol: agent.protocol, defaultPort: agent.defaultPort };
  } finally {
    Error.prepareStackTrace = before;
  }
}

/**
 * Checks the options in node's order and throws node's errors. `agent` is the agent of the request, and `usual` the
 * global agent of the module.
 */
export function checkRequest(
  given: RequestOptions,
  agent: Agent | undefined,
  usual: Pick<Agent, 'protocol'>,
): RequestTarget {
  const protocol = given.protocol || usual.protocol;
  const own = agent && ownValues(agent, usual.protocol);
  const expected = own?.protocol || usual.protocol;
  const path = given.path ? String(given.path) : '/';
  if (/[^\u0021-\u00ff]/.test(path))
    throw nodeError('ERR_UNESCAPED_CHARACTERS', 'Request path contains unescaped characters', TypeError);
  if (protocol !== expected)
    throw nodeError(
      'ERR_INVALID_PROTOCOL',
      `Protocol "${protocol}" not supported. Expected "${expected}"`,
      TypeError,
    );
  const defaultPort = given.defaultPort || own?.defaultPort;
  const port = given.port || defaultPort || 80;
  const host = needHost(given.hostname, 'hostname') || needHost(given.host, 'host') || 'localhost';
  const { method, insecureHTTPParser } = given;
  if (method !== undefined && method !== null && typeof method !== 'string')
    throw argTypeError('options.method', 'string', method);
  if (insecureHTTPParser !== undefined && typeof insecureHTTPParser !== 'boolean')
    throw argTypeError('options.insecureHTTPParser', 'boolean', insecureHTTPParser);
  if (method) validateHeaderName(method, 'Method');
  return {
    method: method ? method.toUpperCase() : 'GET',
    path,
    host,
    protocol,
    defaultPort,
    options: { ...given, port, host },
  };
}

/** Returns the value of the Host header. The default port of the protocol is left out. */
export function hostHeader(
  host: string,
  port: number | string | null | undefined,
  defaultPort: number | string | undefined,
): string {
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return port && Number(port) !== Number(defaultPort) ? `${name}:${port}` : name;
}

/** Returns headers that were given as an array, of pairs or of names and values in turn, as pairs. */
export function headerPairs(headers: readonly unknown[]): [string, string][] {
  if (headers.every(Array.isArray))
    return headers.map(([name, value]: unknown[]) => [String(name), String(value)]);
  return headers.flatMap((each, at): [string, string][] => {
    if (at % 2 === 1) return [];
    const name = String(each);
    const value = headers[at + 1];
    if (!Array.isArray(value)) return [[name, String(value)]];
    if (name.toLowerCase() === 'cookie') return [[name, value.join('; ')]];
    return value.map((one) => [name, String(one)]);
  });
}

/** Returns the milliseconds, at most what a timer takes. */
export function needTimeout(ms: unknown): number {
  if (typeof ms !== 'number') throw argTypeError('msecs', 'number', ms);
  if (ms < 0 || !Number.isFinite(ms)) throw outOfRange('msecs', 'a non-negative finite number', ms);
  return Math.min(ms, 2 ** 31 - 1);
}

function needHost(host: unknown, name: string): string | null | undefined {
  if (host === null || host === undefined || typeof host === 'string') return host;
  throw argTypeError(`options.${name}`, ['string', 'undefined', 'null'], host);
}
