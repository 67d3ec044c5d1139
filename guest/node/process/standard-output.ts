import type { LoadBuiltin } from '../builtins/builtin.ts';
import type { EventLoop } from '../loop/loop.ts';
import type { KernelLink } from '../kernel/link.ts';
import { colorMembers } from './color-depth.ts';

/** The services that the standard streams of a process use. */
export interface StreamsContext {
  readonly load: LoadBuiltin;
  readonly link: KernelLink;
  readonly loop: EventLoop;
  readonly isTerminal: (fd: number) => boolean;
}

export interface TerminalSize {
  readonly columns: number | undefined;
  readonly rows: number | undefined;
}

/** Makes standard output or error. `size` returns the size of the terminal as it is now. */
export function makeOutput(context: StreamsContext, fd: 1 | 2, size: () => TerminalSize) {
  const { load, link, loop, isTerminal } = context;
  const { Writable } = load('stream');
  const { Buffer } = load('buffer');
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, encoding, done) {
      link.print(fd, typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
      done();
    },
  });
  Object.assign(stream, {
    fd,
    _type: isTerminal(fd) ? 'tty' : 'pipe',
    _isStdio: true,
    destroySoon: stream.destroy,
    _destroy(error: Error | null, done: (error: Error | null) => void) {
      done(error);
    },
  });
  if (!isTerminal(fd)) return stream;
  const write = (text: string, done?: () => void) => {
    stream.write(text);
    if (done) loop.nextTick(done, []);
    return true;
  };
  return Object.assign(stream, terminalMembers(write, size));
}

/** Returns the members of an output stream that is a terminal. */
function terminalMembers(write: (text: string, done?: () => void) => boolean, size: () => TerminalSize) {
  return {
    isTTY: true,
    ...size(),
    getWindowSize: () => [size().columns, size().rows],
    ...colorMembers,
    clearLine: (direction: number, done?: () => void) =>
      write(direction < 0 ? '\x1b[1K' : direction > 0 ? '\x1b[0K' : '\x1b[2K', done),
    clearScreenDown: (done?: () => void) => write('\x1b[0J', done),
    cursorTo: (x: number, y?: number | (() => void), done?: () => void) =>
      typeof y === 'number' ? write(`\x1b[${y + 1};${x + 1}H`, done) : write(`\x1b[${x + 1}G`, y ?? done),
    moveCursor: (dx: number, dy: number, done?: () => void) =>
      write(
        (dx > 0 ? `\x1b[${dx}C` : dx < 0 ? `\x1b[${-dx}D` : '') +
          (dy > 0 ? `\x1b[${dy}B` : dy < 0 ? `\x1b[${-dy}A` : ''),
        done,
      ),
  };
}
