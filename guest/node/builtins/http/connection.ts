import type { Socket } from '../net/socket.ts';

/** A connection: a socket of this process, or what a program gives for one. */
export type HttpSocket = Pick<
  Socket,
  'write' | 'end' | 'destroy' | 'on' | 'once' | 'off' | 'emit' | 'pause' | 'resume' | 'read'
> & {
  readonly destroyed: boolean;
  readonly writable: boolean;
  readonly readable: boolean;
  readonly writableNeedDrain?: boolean;
  readonly writableLength?: number;
  readonly connecting?: boolean;
  setTimeout?(ms: number, done?: () => void): unknown;
  destroySoon?(error?: Error): void;
  listenerCount(name: string): number;
  _httpMessage?: unknown;
};

/** Returns node's error for a connection that the other side has closed. */
export function lost(words = 'aborted'): Error {
  return Object.assign(new Error(words), { code: 'ECONNRESET' });
}
