import { joined as copyOf } from '../../../src/base/bytes.ts';
import { fileError } from '../files.ts';
import type { ByteSink, ByteSource, Program, ProgramCall } from '../program.ts';
import { BrokenPipe } from '../program.ts';
import { Complaint } from './complaint.ts';
import { parseOptions, type Options, type OptionSpec } from './options.ts';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Decodes UTF-8. A byte that is not valid UTF-8 becomes the lone surrogate U+DC00 + byte, which {@link
 * encode} turns back.
 */
export function decode(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return decodeLoosely(bytes);
  }
}

const lossy = new TextDecoder();

/** Decodes UTF-8 for reading only: bytes that are not valid are lost, and so is a byte order mark. */
export function textOf(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}

function decodeLoosely(bytes: Uint8Array): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    if (at > from) parts.push(strict.decode(bytes.subarray(from, at)));
    parts.push(String.fromCharCode(0xdc00 + (bytes[at] ?? 0)));
    from = ++at;
  }
  if (from < bytes.length) parts.push(strict.decode(bytes.subarray(from)));
  return parts.join('');
}

/** The length in bytes of the valid UTF-8 character at `at`; 0 where there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  try {
    strict.decode(bytes.subarray(at, at + length));
    return length;
  } catch {
    return 0;
  }
}

const LONE = /(?<![\ud800-\udbff])[\udc80-\udcff]/;

export function encode(text: string): Uint8Array {
  if (!LONE.test(text)) return encoder.encode(text);
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const { index } of text.matchAll(new RegExp(LONE.source, 'g'))) {
    if (index > from) parts.push(encoder.encode(text.slice(from, index)));
    parts.push(Uint8Array.of(text.charCodeAt(index) - 0xdc00));
    from = index + 1;
  }
  parts.push(encoder.encode(text.slice(from)));
  return joined(parts);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 && parts[0] ? parts[0] : copyOf(parts);
}

const FULL = 65_536;

/** Buffers output and passes it on at 64 kB and whenever the program has to wait for input. */
export class Writer {
  readonly #sink: ByteSink;
  #text: string[] = [];
  #size = 0;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  /** Returns a promise where the reader is behind: wait for it before writing more. */
  write(text: string): Promise<void> | undefined {
    this.#text.push(text);
    this.#size += text.length;
    return this.#size >= FULL ? this.#send() : undefined;
  }

  async bytes(bytes: Uint8Array): Promise<void> {
    await this.flush();
    if (bytes.length > 0) await this.#sink.write(bytes);
  }

  /** Passes on the buffered output. */
  async flush(): Promise<void> {
    if (this.#size > 0) await this.#send();
  }

  #send(): Promise<void> | undefined {
    const bytes = encode(this.#text.join(''));
    this.#text = [];
    this.#size = 0;
    return this.#sink.write(bytes) ?? undefined;
  }
}

/**
 * Reads the next piece. Where it has not arrived yet, `out` is flushed first, so that its output shows during
 * the wait.
 */
export async function nextPiece(source: ByteSource, out?: Writer): Promise<Uint8Array | null> {
  const piece = source.read();
  if (!(piece instanceof Promise)) return piece;
  await out?.flush();
  return piece;
}

export async function readAll(source: ByteSource, out?: Writer): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let piece = await nextPiece(source, out); piece; piece = await nextPiece(source, out))
    parts.push(piece);
  return joined(parts);
}

export async function readText(source: ByteSource, out?: Writer): Promise<string> {
  return decode(await readAll(source, out));
}

export const NEWLINE = 10;

/** Yields the input in pieces that end at a line end; the last piece may lack it. */
export async function* wholeLines(
  source: ByteSource,
  out?: Writer,
  end = NEWLINE,
): AsyncGenerator<Uint8Array, void, undefined> {
  let held: Uint8Array[] = [];
  for (let piece = await nextPiece(source, out); piece; piece = await nextPiece(source, out)) {
    const cut = piece.lastIndexOf(end) + 1;
    if (cut === 0) {
      held.push(piece);
      continue;
    }
    yield joined([...held, piece.subarray(0, cut)]);
    held = cut < piece.length ? [piece.subarray(cut)] : [];
  }
  if (held.length > 0) yield joined(held);
}

export interface Batch {
  /** The lines, without their line ends. */
  readonly lines: string[];
  /** False where the last line has no line end; no further batch follows then. */
  readonly ended: boolean;
}

/** Yields the lines of the input as they arrive. */
export async function* lineBatches(
  source: ByteSource,
  out?: Writer,
  end = NEWLINE,
): AsyncGenerator<Batch, void, undefined> {
  for await (const bytes of wholeLines(source, out, end)) {
    yield linesIn(decode(bytes), String.fromCharCode(end));
  }
}

export function linesIn(text: string, end = '\n'): Batch {
  const lines = text.split(end);
  const ended = lines.at(-1) === '';
  if (ended) lines.pop();
  return { lines, ended };
}

/** Reads all lines of an input, for commands that cannot begin before its end. */
export async function allLines(source: ByteSource, out?: Writer, end = NEWLINE): Promise<Batch> {
  return linesIn(await readText(source, out), String.fromCharCode(end));
}

/** Makes a source of bytes that are already in memory. */
export function sourceOf(bytes: Uint8Array): ByteSource {
  let left: Uint8Array | null = bytes.length > 0 ? bytes : null;
  return {
    read() {
      const piece = left;
      left = null;
      return piece;
    },
    unread(again) {
      left = left ? joined([again, left]) : again;
    },
    close() {
      left = null;
    },
  };
}

/** The source behind `/dev/zero`. */
export const zeros = (): ByteSource => endless(() => {});

/** The source behind `/dev/random` and `/dev/urandom`. */
export const noise = (): ByteSource => endless((bytes) => crypto.getRandomValues(bytes));

function endless(fill: (bytes: Uint8Array<ArrayBuffer>) => void): ByteSource {
  return {
    read() {
      const bytes = new Uint8Array(4096);
      fill(bytes);
      return bytes;
    },
    unread() {},
    close() {},
  };
}

/**
 * Opens the file of that name; `-` and `/dev/stdin` are standard input. Complains with the messages of GNU
 * tools.
 */
export async function open(call: ProgramCall, name: string, code = 1): Promise<ByteSource> {
  if (name === '-') return call.stdin;
  const path = call.path(name);
  const stream = call.stream?.(path);
  if (stream) return stream;
  switch (path) {
    case '/dev/stdin':
      return call.stdin;
    case '/dev/null':
      return sourceOf(new Uint8Array());
    case '/dev/zero':
      return zeros();
    case '/dev/random':
    case '/dev/urandom':
      return noise();
  }
  return sourceOf(await readBytes(call, name, code));
}

export async function readBytes(call: ProgramCall, name: string, code = 1): Promise<Uint8Array> {
  try {
    return await call.files.readFileBuffer(call.path(name));
  } catch (error) {
    throw new Complaint(`${name}: ${fileError(error)}`, code);
  }
}

/** Reads a whole input; `-`, and no name, mean standard input. */
export async function readInput(call: ProgramCall, name = '-', code = 1): Promise<Uint8Array> {
  return name === '-' ? readAll(call.stdin) : readBytes(call, name, code);
}

/** Replaces a file, or writes to the stream that a name below `/dev` stands for. */
export async function save(call: ProgramCall, name: string, bytes: Uint8Array): Promise<void> {
  const path = call.path(name);
  if (path === '/dev/null') return;
  if (path === '/dev/stdout') return void (await call.stdout.write(bytes));
  if (path === '/dev/stderr') return void (await call.stderr.write(bytes));
  await call.files.writeFile(path, bytes);
}

/** Prints `name: message` on standard error. */
export async function complain(call: ProgramCall, message: string): Promise<void> {
  await call.stderr.write(encode(`${call.name.slice(call.name.lastIndexOf('/') + 1)}: ${message}\n`));
}

/**
 * Prints complaints behind all of the output. Answers the exit code, which is `failed` where there are any.
 */
export async function complainAtEnd(
  call: ProgramCall,
  out: Writer,
  complaints: readonly string[],
  failed = 1,
): Promise<number> {
  await out.flush();
  for (const message of complaints) await complain(call, message);
  return complaints.length > 0 ? failed : 0;
}

/**
 * Runs `each` on every operand, or on standard input where there is none, and complains about inputs that
 * cannot be read.
 */
export async function eachInput(
  call: ProgramCall,
  names: readonly string[],
  each: (source: ByteSource, name: string) => Promise<void>,
): Promise<number> {
  let code = 0;
  for (const name of names.length > 0 ? names : ['-']) {
    try {
      await each(await open(call, name), name);
    } catch (error) {
      if (!(error instanceof Complaint)) throw error;
      await complain(call, error.message);
      code = error.code;
    }
  }
  return code;
}

/** Parses the options of a GNU program. An unknown option ends the program with the exit code `usage`. */
export function optionsOf(
  call: ProgramCall,
  spec: OptionSpec,
  usage = 1,
  stopAtOperand = false,
  args: readonly string[] = call.args,
): Options {
  const name = call.name.slice(call.name.lastIndexOf('/') + 1);
  try {
    return parseOptions(args, spec, stopAtOperand);
  } catch (error) {
    if (!(error instanceof Complaint)) throw error;
    throw new Complaint(`${error.message}\nTry '${name} --help' for more information.`, usage);
  }
}

/** Turns a {@link Complaint} into its message and exit code. */
export function complaining(program: Program): Program {
  return async (call) => {
    try {
      return await program(call);
    } catch (error) {
      if (!(error instanceof Complaint)) throw error;
      await complain(call, error.message);
      return error.code;
    }
  };
}

/** Gives a program a buffered writer, and flushes it at the end. */
export function writing(program: (call: ProgramCall, out: Writer) => number | Promise<number>): Program {
  return complaining(async (call) => {
    const out = new Writer(call.stdout);
    try {
      return await program(call, out);
    } catch (error) {
      if (error instanceof BrokenPipe) throw error;
      await out.flush();
      throw error;
    } finally {
      if (!call.signal.aborted) await out.flush();
    }
  });
}
