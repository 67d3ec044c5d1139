/** The parts of the package ws that tests use; its own types are a package of their own. */
declare module 'ws' {
  import type { Server } from 'node:http';

  interface Socket {
    send(data: unknown, options: { binary: boolean }): void;
    terminate(): void;
    on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): void;
    on(event: 'close', listener: (code: number, reason: unknown) => void): void;
  }

  export class WebSocketServer {
    constructor(options: { server?: Server; port?: number; handleProtocols?: () => string });
    on(event: 'connection', listener: (socket: Socket) => void): void;
    once(event: 'listening', listener: (value?: unknown) => void): void;
    address(): unknown;
    close(): void;
  }
}
