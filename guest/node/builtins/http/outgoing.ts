import type { HeaderList, LoadBuiltin, NodeHost } from '../builtin.ts';
import { nodeError } from '../internal/errors.ts';
import type { HttpSocket } from './connection.ts';
import { composeHead } from './head-text.ts';
import { makeOutgoingHead } from './outgoing-head.ts';

export type OutgoingMessage = InstanceType<ReturnType<typeof makeOutgoing>>;

type Done = (error?: Error | null) => void;

const LINE_END = Uint8Array.of(13, 10);

const isDone = (value: unknown): value is Done => typeof value === 'function';

export function makeOutgoing(host: NodeHost, load: LoadBuiltin) {
  const { Buffer } = load('buffer');
  const OutgoingHead = makeOutgoingHead(load);

  return class OutgoingMessage extends OutgoingHead {
    #waiting: (() => void)[] = [];

    /** If `closes` is true, the message closes once all of it is written, because no response comes to it. */
    constructor(closes = true) {
      super({ decodeStrings: true, autoDestroy: closes, emitClose: closes });
    }

    flushHeaders(): void {
      if (this._header === null) this._implicitHeader();
      this._sendHead();
    }

    setTimeout(ms: number, callback?: () => void): this {
      if (callback) this.on('timeout', callback);
      if (this.socket) this.socket.setTimeout?.(ms);
      else this.once('socket', (socket: HttpSocket) => socket.setTimeout?.(ms));
      return this;
    }

    /** Composes the head with the defaults of the kind of message. */
    _implicitHeader(): void {
      this.destroy(
        nodeError('ERR_METHOD_NOT_IMPLEMENTED', 'The _implicitHeader() method is not implemented'),
      );
    }

    /** Composes the head; `given` replaces the headers that were set. */
    _storeHeader(first: string, given?: HeaderList): void {
      const list = given ?? this._outHeaders?.list() ?? [];
      this._header = composeHead(this, first, list);
      if (list.some(([name]) => name.toLowerCase() === 'expect')) this._sendHead();
    }

    /** Returns the text of the head for sending, or nothing if it has been sent. */
    #takeHead(): string {
      if (this._headerSent) return '';
      if (this._header === null) this._implicitHeader();
      if (this._headerSent) return '';
      this._headerSent = true;
      return this._header ?? '';
    }

    _sendHead(): void {
      const head = this.#takeHead();
      if (head) this._put(Buffer.from(head, 'latin1'), () => {});
    }

    /** Writes bytes to the connection, once there is one, and calls `done` when it can take more. */
    _put(bytes: Uint8Array, done: Done): void {
      const { socket } = this;
      if (!socket || this.#waiting.length > 0) return void this.#waiting.push(() => this._put(bytes, done));
      if (socket.destroyed || !socket.writable) return done();
      if (bytes.byteLength === 0 || socket.write(bytes) || socket.connecting) return done();
      const resume = () => {
        socket.off('drain', resume);
        socket.off('close', resume);
        done();
      };
      socket.on('drain', resume);
      socket.on('close', resume);
    }

    /** Takes the connection, and writes what waited for it. */
    _flushTo(socket: HttpSocket): void {
      this.socket = socket;
      for (const put of this.#waiting.splice(0)) put();
    }

    /** Reports a write after the end as an error, which does not interrupt data on the way. */
    #late(done: Done | undefined): void {
      const error = nodeError('ERR_STREAM_WRITE_AFTER_END', 'write after end');
      const { destroyed } = this;
      host.process.nextTick(() => {
        done?.(error);
        if (!destroyed) this.emit('error', error);
      });
    }

    override write(...args: unknown[]): boolean {
      if (!this.writableEnded) return Reflect.apply(super.write, this, args) as boolean;
      this.#late(args.findLast(isDone));
      return false;
    }

    override pipe(): never {
      this.emit('error', nodeError('ERR_STREAM_CANNOT_PIPE', 'Cannot pipe, not readable'));
      return undefined as never;
    }

    override end(...args: unknown[]): this {
      const [chunk, encoding] = args;
      if (this.writableEnded && !this.destroyed) {
        const done = args.findLast(isDone);
        const isOver = this.writableFinished || this.socket?.writableLength === 0;
        if (chunk && chunk !== done) this.#late(done);
        else if (done && !isOver) this.on('finish', done);
        else done?.(nodeError('ERR_STREAM_ALREADY_FINISHED', 'Cannot call end after a stream was finished'));
        return this;
      }
      if (!this.writableEnded && this._header === null) {
        if (chunk instanceof Uint8Array) this._contentLength = chunk.byteLength;
        else if (typeof chunk === 'string')
          this._contentLength = Buffer.byteLength(
            chunk,
            typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8',
          );
        else if (chunk === undefined || chunk === null || typeof chunk === 'function')
          this._contentLength = 0;
        if (this._contentLength !== null) this._implicitHeader();
      }
      this.finished = true;
      Reflect.apply(super.end, this, args);
      return this;
    }

    override _write(chunk: Uint8Array, _encoding: string, done: Done): void {
      const head = this.#takeHead();
      if (!this._hasBody) return this._put(Buffer.from(head, 'latin1'), done);
      if (chunk.byteLength === 0) return this._put(Buffer.from(head, 'latin1'), done);
      if (!this.chunkedEncoding && head === '') return this._put(chunk, done);
      const before = this.chunkedEncoding ? `${head}${chunk.byteLength.toString(16)}\r\n` : head;
      const parts = [Buffer.from(before, 'latin1'), chunk];
      if (this.chunkedEncoding) parts.push(LINE_END);
      this._put(Buffer.concat(parts), done);
    }

    override _final(done: Done): void {
      const head = this.#takeHead();
      const last = this.chunkedEncoding && this._hasBody ? `0\r\n${this._trailer}\r\n` : '';
      this.emit('prefinish');
      this._put(Buffer.from(head + last, 'latin1'), done);
    }
  };
}
