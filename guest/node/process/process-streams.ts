import type { LoadBuiltin } from '../builtins/builtin.ts';
import { colorDepth, environment, type Env } from './color-depth.ts';
import type { EventLoop } from '../loop/loop.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { NodeStart } from '../../shared/wire.ts';

const LINE_FEED = 10;
const RETURN = 13;

/** Makes standard input, output and error of the process, each on first use. */
export function makeStandardStreams(
  load: LoadBuiltin,
  link: KernelLink,
  loop: EventLoop,
  terminal: NodeStart['terminal'],
) {
  const isTerminal = (fd: number) => terminal?.streams.includes(fd) ?? false;
  let size = { columns: terminal?.columns, rows: terminal?.rows };

  function output(fd: 1 | 2) {
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
    return Object.assign(stream, {
      isTTY: true,
      ...size,
      getWindowSize: () => [size.columns, size.rows],
      getColorDepth: (env = environment()) => colorDepth(env),
      hasColors: (count: number | Env = 16, env = environment()) =>
        typeof count === 'number' ? count <= 2 ** colorDepth(env) : 16 <= 2 ** colorDepth(count),
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
    });
  }

  let asked = false;
  /** True while the stream waits for input. Children in `passed` come before it. */
  let streamWaits = false;
  let give: (bytes: Uint8Array | null) => void = () => {};
  const passed: ((bytes: Uint8Array | null) => boolean)[] = [];
  const ask = () => {
    if (asked) return;
    asked = true;
    link.say({ kind: 'wantInput' });
  };
  const took = (bytes: Uint8Array | null) =>
    loop.add(() => {
      asked = false;
      let taken = false;
      while (!taken && passed.length > 0) taken = passed.shift()?.(bytes) ?? false;
      if (!taken) give(bytes);
      if (streamWaits || passed.length > 0) ask();
    });

  let raw = false;
  let rawSet = () => {};
  function input() {
    const { Readable } = load('stream');
    const { Buffer } = load('buffer');
    const handle = loop.handle();
    let waiting = false;
    let held = true;
    handle.unref();
    const keep = () => (waiting && held ? handle.ref() : handle.unref());
    const stream = new Readable({
      highWaterMark: 64 * 1024,
      read() {
        if (waiting) return;
        waiting = streamWaits = true;
        keep();
        ask();
      },
    });
    give = (bytes) => {
      waiting = streamWaits = false;
      keep();
      // Enter arrives as a line feed. In raw mode a program expects the key's own code.
      if (raw) bytes = bytes && bytes.map((byte) => (byte === LINE_FEED ? RETURN : byte));
      stream.push(bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    };
    stream.on('pause', () => {
      held = false;
      keep();
    });
    stream.on('resume', () => {
      held = true;
      keep();
    });
    return Object.assign(stream, {
      fd: 0,
      ...(isTerminal(0) && {
        isTTY: true,
        isRaw: false,
        setRawMode(asked: unknown) {
          raw = Boolean(asked);
          Reflect.set(stream, 'isRaw', raw);
          rawSet();
          link.say({ kind: 'keyboard', raw });
          return stream;
        },
      }),
      ref() {
        held = true;
        keep();
        return stream;
      },
      unref() {
        held = false;
        keep();
        return stream;
      },
    });
  }

  let stdin: ReturnType<typeof input> | undefined;
  let stdout: ReturnType<typeof output> | undefined;
  let stderr: ReturnType<typeof output> | undefined;
  return {
    get stdin() {
      return (stdin ??= input());
    },
    get stdout() {
      return (stdout ??= output(1));
    },
    get stderr() {
      return (stderr ??= output(2));
    },
    took,
    /** True if the program has the keyboard in raw mode. */
    get isRaw() {
      return raw;
    },
    onRaw(listener: () => void) {
      rawSet = listener;
    },
    /** Feeds a key that did not arrive as input, such as Ctrl-C. */
    press(key: string) {
      loop.add(() => stdin?.push(load('buffer').Buffer.from(key)));
    },
    /** Gives the next piece of input to a child that shares it. `take` returns false if it is not wanted. */
    pass(take: (bytes: Uint8Array | null) => boolean) {
      const left: Uint8Array | null = stdin?.readableLength ? stdin.read() : null;
      if (left && take(left)) return;
      if (stdin?.readableEnded) return void take(null);
      passed.push(take);
      ask();
    },
    /** Sets the keyboard's mode for a child. False brings back this process's own mode. */
    lendKeyboard: (childRaw: boolean) => {
      if (isTerminal(0)) link.say({ kind: 'keyboard', raw: childRaw || raw });
    },
    /** Sets the size of the terminal, in characters. */
    resized(columns: number, rows: number) {
      if (columns === size.columns && rows === size.rows) return;
      size = { columns, rows };
      for (const [fd, stream] of [
        [1, stdout],
        [2, stderr],
      ] as const)
        if (stream && isTerminal(fd)) Object.assign(stream, size).emit('resize');
    },
  };
}

export type StandardStreams = ReturnType<typeof makeStandardStreams>;
