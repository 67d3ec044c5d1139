import { systemError } from '../internal/errno.ts';
import { nodeError } from '../internal/errors.ts';

/** The address of one end of a connection: that of a host with a port, or the path of a socket. */
export interface EndAddress {
  readonly address?: string;
  readonly port?: number;
  readonly path?: string;
}

/** The error of a connection that the other end refused. */
export function refused(code: string, { address, port, path }: EndAddress): Error {
  if (path !== undefined) return systemError(code, 'connect', path, { address: path });
  return systemError(code, 'connect', `${address}:${port}`, { address, port });
}

/** The error of a connection to a host outside. */
export function unreachable(name: string, port: number): Error {
  const error = systemError('EACCES', 'connect', `${name}:${port}`, { address: name, port });
  error.message +=
    ': a browser opens no sockets to hosts outside. node:http, node:https and fetch reach those that are allowed';
  return error;
}

export function closedBeforeConnection(): Error {
  return nodeError(
    'ERR_SOCKET_CLOSED_BEFORE_CONNECTION',
    'Socket closed before the connection was established',
  );
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'address already in use',
  EADDRNOTAVAIL: 'address not available',
};

/** `shown` is the address as the message names it, `about` the members that the error has besides. */
export function listenError(code: string, shown: string, about: object): Error {
  const error = systemError(code, 'listen', '', about);
  error.message = `listen ${code}: ${DESCRIPTIONS[code] ?? 'invalid argument'} ${shown}`;
  return error;
}
