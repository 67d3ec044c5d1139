import type { ConnectionEnd } from '../../../shared/connection.ts';
import { argValueError, needFunction, needString, nodeError } from '../internal/errors.ts';

export type Lookup = (
  host: string,
  options: object,
  done: (error: Error | null, found: unknown) => void,
) => void;

export interface SocketOptions {
  readonly allowHalfOpen?: boolean;
  readonly highWaterMark?: number;
  readonly readableHighWaterMark?: number;
  readonly writableHighWaterMark?: number;
  readonly signal?: AbortSignal;
  readonly host?: string | null;
  readonly port?: number | string | null;
  readonly path?: string | null;
  readonly socketPath?: string | null;
  readonly lookup?: Lookup;
  readonly timeout?: number;
  /** The end that it is connected to, in place of its address. */
  readonly [CONNECTED]?: ConnectionEnd;
  /** Connects a socket for a request. Agents pass it on with the other options, also where they connect later. */
  readonly [FOR_HTTP]?: HttpEnd;
}

export const CONNECTED = Symbol('connected');
export const FOR_HTTP = Symbol('for http');

/** Makes a connection end that only carries HTTP. Undefined where a plain connection serves. */
export type HttpEnd = (options: SocketOptions, fail: (error: unknown) => void) => ConnectionEnd | undefined;

export interface ListenOptions {
  readonly port?: number | string | null;
  readonly host?: string | null;
  readonly path?: string;
  readonly signal?: AbortSignal;
}

/** Reads the arguments of `connect`: options, a path, or a port and a host; then a listener. */
export function connectArgs(args: readonly unknown[]): { options: SocketOptions; done: unknown } {
  const [first, second] = args;
  const done = args.findLast((each) => typeof each === 'function');
  if (typeof first === 'object' && first !== null) return { options: first, done };
  if (typeof first === 'string' && !isPort(first)) return { options: { path: first }, done };
  const port = first as number | string;
  return { options: { port, ...(typeof second === 'string' && { host: second }) }, done };
}

/** Checks where a socket is to connect. With a path, the port is 0. */
export function connectTarget(options: SocketOptions): { path: string | undefined; port: number } {
  const path = options.path ?? options.socketPath ?? undefined;
  const given = options.port ?? undefined;
  if (path === undefined && given === undefined)
    throw nodeError(
      'ERR_MISSING_ARGS',
      'The "options" or "port" or "path" argument must be specified',
      TypeError,
    );
  const port = path === undefined ? needPort(given, 'Port') : 0;
  const { host: named, lookup } = options;
  if (named !== undefined && named !== null) needString(named, 'options.host');
  if (lookup !== undefined) needFunction(lookup, 'options.lookup');
  return { path: path === undefined ? undefined : String(path), port };
}

/** Checks the options of a socket and returns those for its stream. */
export function streamOptions(given: SocketOptions) {
  for (const name of ['objectMode', 'readableObjectMode', 'writableObjectMode'])
    if (Reflect.get(given, name))
      throw nodeError(
        'ERR_INVALID_ARG_VALUE',
        `The property 'options.${name}' is not supported. Received true`,
        TypeError,
      );
  const { highWaterMark, readableHighWaterMark, writableHighWaterMark } = given;
  return {
    ...(highWaterMark !== undefined && { highWaterMark }),
    ...(readableHighWaterMark !== undefined && { readableHighWaterMark }),
    ...(writableHighWaterMark !== undefined && { writableHighWaterMark }),
    allowHalfOpen: given.allowHalfOpen ?? false,
    autoDestroy: true,
    emitClose: false,
  };
}

/** Reads the arguments of `listen`: options, a path, or a port and a host. */
export function listenArgs(args: readonly unknown[]): ListenOptions {
  const [first, second] = args;
  if (first === undefined || first === null || typeof first === 'function') return { port: 0 };
  if (typeof first === 'string' && !isPort(first)) return { path: first };
  if (typeof first === 'number' || typeof first === 'string')
    return { port: first, ...(typeof second === 'string' && { host: second }) };
  const options = first as ListenOptions;
  if (options.port === undefined && options.path === undefined)
    throw argValueError('options', first, 'must have the property "port" or "path"');
  return options;
}

function isPort(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && Number(value) >= 0;
}

export function needPort(value: unknown, name: string): number {
  const port = typeof value === 'string' && isPort(value) ? Number(value) : value;
  if (typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  const shown =
    typeof value === 'string' ? `type string ('${value}')` : `type ${typeof value} (${String(value)})`;
  throw nodeError(
    'ERR_SOCKET_BAD_PORT',
    `${name} should be >= 0 and < 65536. Received ${shown}.`,
    RangeError,
  );
}
