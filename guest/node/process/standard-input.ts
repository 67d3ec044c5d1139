import type { Readable } from 'node:stream';
import type { LoopHandle } from '../loop/loop.ts';
import type { StreamsContext } from './standard-output.ts';

const LINE_FEED = 10;
const RETURN = 13;

type Bytes = Uint8Array | null;

/** The input of a process, which its own stream and children that share it take in turn. Null is its end. */
export class StandardInput {
  readonly #context: StreamsContext;
  #stream: Readable | undefined;
  /** Keeps the process alive while the stream waits for input and is not paused. */
  #handle: LoopHandle | undefined;
  #isHeld = true;
  /** True while the kernel has been asked for input. */
  #isAsked = false;
  /** True while the stream waits for input. Children in `#takers` come before it. */
  #isWaiting = false;
  readonly #takers: ((bytes: Bytes) => boolean)[] = [];
  #isRaw = false;
  #rawChanged = () => {};

  constructor(context: StreamsContext) {
    this.#context = context;
  }

  get stream(): Readable {
    return (this.#stream ??= this.#make());
  }

  /** True if the program has the keyboard in raw mode. */
  get isRaw(): boolean {
    return this.#isRaw;
  }

  onRaw(listener: () => void): void {
    this.#rawChanged = listener;
  }

  #make(): Readable {
    const { load, loop, isTerminal } = this.#context;
    const { Readable } = load('stream');
    this.#handle = loop.handle();
    this.#handle.unref();
    const stream = new Readable({ highWaterMark: 64 * 1024, read: () => this.#read() });
    const hold = (holds: boolean) => {
      this.#isHeld = holds;
      this.#keep();
      return stream;
    };
    stream.on('pause', () => hold(false));
    stream.on('resume', () => hold(true));
    return Object.assign(stream, {
      fd: 0,
      ...(isTerminal(0) && {
        isTTY: true,
        isRaw: false,
        setRawMode: (raw: unknown) => {
          this.#setRaw(Boolean(raw));
          return stream;
        },
      }),
      ref: () => hold(true),
      unref: () => hold(false),
    });
  }

  #keep(): void {
    if (this.#isWaiting && this.#isHeld) this.#handle?.ref();
    else this.#handle?.unref();
  }

  #read(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#keep();
    this.#ask();
  }

  #setRaw(raw: boolean): void {
    this.#isRaw = raw;
    if (this.#stream) Reflect.set(this.#stream, 'isRaw', raw);
    this.#rawChanged();
    this.#context.link.say({ kind: 'keyboard', raw });
  }

  #ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#context.link.say({ kind: 'wantInput' });
  }

  /** Receives input from the kernel. */
  took(bytes: Bytes): void {
    this.#context.loop.add(() => {
      this.#isAsked = false;
      let isTaken = false;
      while (!isTaken && this.#takers.length > 0) isTaken = this.#takers.shift()?.(bytes) ?? false;
      if (!isTaken) this.#give(bytes);
      if (this.#isWaiting || this.#takers.length > 0) this.#ask();
    });
  }

  /** Gives input to the program's own stream. */
  #give(bytes: Bytes): void {
    const stream = this.#stream;
    if (!stream) return;
    this.#isWaiting = false;
    this.#keep();
    // Enter arrives as a line feed. In raw mode a program expects the key's own code.
    const given = this.#isRaw && bytes ? bytes.map((byte) => (byte === LINE_FEED ? RETURN : byte)) : bytes;
    const { Buffer } = this.#context.load('buffer');
    stream.push(given && Buffer.from(given.buffer, given.byteOffset, given.byteLength));
  }

  /** Feeds a key that did not arrive as input, such as Ctrl-C. */
  press(key: string): void {
    const { loop, load } = this.#context;
    loop.add(() => this.#stream?.push(load('buffer').Buffer.from(key)));
  }

  /** Gives the next piece of input to a child that shares it. `take` returns false if it is not wanted. */
  pass(take: (bytes: Bytes) => boolean): void {
    const stream = this.#stream;
    const left: Bytes = stream?.readableLength ? stream.read() : null;
    if (left && take(left)) return;
    if (stream?.readableEnded) return void take(null);
    this.#takers.push(take);
    this.#ask();
  }

  /** Sets the keyboard's mode for a child. False brings back this process's own mode. */
  lendKeyboard(childRaw: boolean): void {
    const { link, isTerminal } = this.#context;
    if (isTerminal(0)) link.say({ kind: 'keyboard', raw: childRaw || this.#isRaw });
  }
}
