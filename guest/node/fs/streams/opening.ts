import type { LoadBuiltin } from '../../builtins/builtin.ts';
import type { Done, StreamFs } from './sources.ts';

interface FileStream {
  fd: number | null;
  readonly path: unknown;
  readonly flags: string;
  readonly mode: number;
  emit(name: string, ...args: unknown[]): boolean;
  open(): void;
}

/** Opens the files of streams, and closes them. */
export class StreamOpening {
  /** The deprecated `open` methods, which programs may replace. */
  readonly methods: { readonly ReadStream: () => void; readonly WriteStream: () => void };

  constructor(load: LoadBuiltin) {
    const { deprecate } = load('util');
    const deprecated = (name: string) =>
      deprecate(function open() {}, `${name}.prototype.open() is deprecated`, 'DEP0135');
    this.methods = { ReadStream: deprecated('ReadStream'), WriteStream: deprecated('WriteStream') };
  }

  open(stream: FileStream, { open }: StreamFs, done: Done) {
    if (stream.fd !== null) return done();
    const { ReadStream, WriteStream } = this.methods;
    if (stream.open !== ReadStream && stream.open !== WriteStream) return openOtherwise(stream, done);
    open(stream.path, stream.flags, stream.mode, (error, fd) => {
      if (error) return done(error);
      stream.fd = fd;
      done();
      stream.emit('open', fd);
      stream.emit('ready');
    });
  }
}

/** Opens a stream with an `open` method that a program has set, which reports its result with events. */
function openOtherwise(stream: FileStream, done: Done): void {
  const { emit } = stream;
  stream.emit = (name, ...args) => {
    if (name === 'open' || name === 'error') {
      stream.emit = emit;
      done(name === 'error' ? (args[0] as Error) : undefined);
      if (name === 'error') return true;
    }
    return emit.call(stream, name, ...args);
  };
  stream.open();
}

export function closeFile(
  stream: FileStream,
  { close, fsync }: StreamFs,
  flushes: boolean,
  error: Error | null,
  done: Done,
) {
  const { fd } = stream;
  if (fd === null) return done(error);
  const shut = (first: Error | null | undefined) => {
    close(fd, (failed) => done(first ?? failed));
    stream.fd = null;
  };
  if (flushes && fsync) fsync(fd, (failed) => shut(error ?? failed));
  else shut(error);
}
