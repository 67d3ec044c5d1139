import { Gunzip, Gzip } from 'fflate';
import type { ByteSource, Program, ProgramCall } from '../../program.ts';
import { isFileError } from '../../files.ts';
import { Complaint } from '../../kit/complaint.ts';
import { fileError } from '../../files.ts';
import {
  complain,
  joined,
  nextPiece,
  open,
  optionsOf,
  sourceOf,
  writing,
  type Writer,
} from '../../kit/io.ts';
import { valueOf, type Options } from '../../kit/options.ts';
import { filesBelow } from '../../kit/walk.ts';

const SPEC = {
  short: 'cdfklnNqrtvS:123456789h',
  long: [
    'stdout=c',
    'to-stdout=c',
    'decompress=d',
    'uncompress=d',
    'force=f',
    'keep=k',
    'list=l',
    'no-name=n',
    'name=N',
    'quiet=q',
    'test=t',
    'verbose=v',
    'recursive=r',
    'suffix=S',
    'fast=1',
    'best=9',
  ],
};

/** The most that one file may expand to, in bytes, so that it does not exhaust the shell's memory. */
const MAX_EXPANDED = 512 * 1024 * 1024;
/** The number of bytes packed or expanded at a time. The end of the reader is noticed between two steps. */
const STEP = 32 * 1024;

type Sink = (bytes: Uint8Array) => void | Promise<void>;

function program(expands: boolean, toStdout: boolean): Program {
  return writing(async (call, out) => {
    const options = optionsOf(call, SPEC);
    const { has } = options;
    const unpacks = expands || has.has('d') || has.has('t');
    const prints = toStdout || has.has('c') || has.has('t');
    let code = 0;
    if (has.has('l')) await out.write('         compressed        uncompressed  ratio uncompressed_name\n');
    const attempt = async (name: string, work: () => Promise<unknown>) => {
      try {
        await work();
      } catch (error) {
        const isComplaint = error instanceof Complaint;
        if (!isComplaint && !isFileError(error)) throw error;
        code = isComplaint ? Math.max(code, error.code) : 1;
        await out.flush();
        const shown = isComplaint ? error.message : fileError(error);
        await complain({ ...call, name: 'gzip' }, `${name === '-' ? 'stdin' : name}: ${shown}`);
      }
    };
    for (const name of options.operands.length > 0 ? options.operands : ['-'])
      await attempt(name, async () => {
        if (name === '-') return convert(call.stdin, unpacks, options, printing(out, options), out);
        for (const file of await filesOf(call, name, options))
          await attempt(file, async () =>
            has.has('l')
              ? out.write(await listed(call, file))
              : convertFile(call, file, unpacks, prints, options, out),
          );
      });
    return code;
  });
}

export const gzip = program(false, false);
export const gunzip = program(true, false);
export const zcat = program(true, true);

function printing(out: Writer, options: Options): Sink {
  return options.has.has('t') ? () => {} : (bytes) => out.bytes(bytes);
}

async function filesOf(call: ProgramCall, name: string, options: Options): Promise<string[]> {
  const path = call.path(name);
  if (!options.has.has('r') || !(await call.files.stat(path)).isDirectory) return [name];
  const found: string[] = [];
  for await (const { shown } of filesBelow(call.files, path, name)) found.push(shown);
  return found;
}

async function listed(call: ProgramCall, name: string): Promise<string> {
  const content = await call.files.readFileBuffer(call.path(name));
  let length = 0;
  if (!(await isPacked(sourceOf(content)))) throw new Complaint('not in gzip format', 1);
  const whole = expanded(sourceOf(content));
  for (let piece = await whole.read(); piece; piece = await whole.read()) length += piece.length;
  const ratio = length === 0 ? 0 : ((length - content.length + 18) / length) * 100;
  const numbers = `${String(content.length).padStart(19)} ${String(length).padStart(19)}`;
  return `${numbers} ${ratio.toFixed(1).padStart(5)}% ${name.replace(/\.t?gz$/, '')}\n`;
}

async function convertFile(
  call: ProgramCall,
  name: string,
  unpacks: boolean,
  prints: boolean,
  options: Options,
  out: Writer,
): Promise<void> {
  const path = call.path(name);
  if (prints && call.stream?.(path))
    return convert(await open(call, name), unpacks, options, printing(out, options), out);
  if ((await call.files.stat(path)).isDirectory) throw new Complaint('is a directory -- ignored', 2);
  const suffix = valueOf(options, 'S') ?? '.gz';
  const target = !unpacks
    ? path + suffix
    : path.endsWith(suffix)
      ? path.slice(0, -suffix.length)
      : path.replace(/\.t?gz$/, (end) => (end === '.tgz' ? '.tar' : ''));
  if (!prints && target === path) throw new Complaint('unknown suffix -- ignored', 2);
  if (!prints && !unpacks && path.endsWith(suffix))
    throw new Complaint(`already has ${suffix} suffix -- unchanged`, 2);
  const source = sourceOf(await call.files.readFileBuffer(path));
  if (prints) return convert(source, unpacks, options, printing(out, options), out);
  if (!options.has.has('f') && (await call.files.exists(target))) {
    throw new Complaint(`${target.slice(target.lastIndexOf('/') + 1)} already exists; not overwritten`, 2);
  }
  const { take, whole } = gathered();
  await convert(source, unpacks, options, take);
  await call.files.writeFile(target, whole());
  if (!options.has.has('k')) await call.files.rm(path);
}

/** Keeps what arrives, up to the limit. */
function gathered(): { take: Sink; whole(): Uint8Array } {
  const parts: Uint8Array[] = [];
  let size = 0;
  return {
    take(bytes) {
      size += bytes.length;
      if (size > MAX_EXPANDED) throw new Complaint('too large to expand here', 1);
      parts.push(bytes);
    },
    whole: () => joined(parts),
  };
}

async function convert(
  source: ByteSource,
  unpacks: boolean,
  options: Options,
  sink: Sink,
  out?: Writer,
): Promise<void> {
  const { has } = options;
  let made = source;
  if (!unpacks) made = packed(source, levelOf(options), out);
  else if (await isPacked(source, out)) made = expanded(source, out);
  else {
    const piece = await nextPiece(source, out);
    if (!piece) throw new Complaint('unexpected end of file', 1);
    // With -f, input that is not packed passes through unchanged.
    if (!has.has('f') || !out) throw new Complaint('not in gzip format', 1);
    source.unread(piece);
  }
  for (let piece = await made.read(); piece; piece = await made.read()) await sink(piece);
}

type Level = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

function levelOf(options: Options): Level {
  const levels = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
  return levels.find((level) => options.has.has(String(level))) ?? 6;
}

interface Stream {
  push(piece: Uint8Array, isLast: boolean): void;
}

/** Passes a source through a stream of fflate, step by step as it is read. */
function converted(
  source: ByteSource,
  streamTo: (take: (bytes: Uint8Array) => void) => Stream,
  out: Writer | undefined,
): ByteSource {
  const made: Uint8Array[] = [];
  const stream = streamTo((bytes) => {
    for (let at = 0; at < bytes.length; at += STEP) made.push(bytes.subarray(at, at + STEP));
  });
  let piece: Uint8Array | null = new Uint8Array();
  return {
    async read() {
      while (made.length === 0) {
        if (piece?.length === 0) piece = await nextPiece(source, out);
        else if (piece) {
          stream.push(piece.subarray(0, STEP), false);
          piece = piece.subarray(STEP);
          continue;
        } else return null;
        if (piece === null) stream.push(new Uint8Array(), true);
      }
      return made.shift() ?? null;
    },
    unread: (bytes) => void made.unshift(bytes),
    close: () => source.close(),
  };
}

function packed(source: ByteSource, level: Level, out?: Writer): ByteSource {
  return converted(source, (take) => new Gzip({ level, mtime: 0 }, take), out);
}

/** Expands a packed source. Reads reject with a {@link Complaint} where the packed data is broken. */
export function expanded(source: ByteSource, out?: Writer): ByteSource {
  let produced = 0;
  // Several gzip members in a row count as one stream.
  const inner = converted(
    source,
    (take) =>
      new Gunzip((bytes) => {
        produced += bytes.length;
        take(bytes);
      }),
    out,
  );
  return {
    ...inner,
    async read() {
      try {
        return await inner.read();
      } catch (error) {
        if (error instanceof Complaint || !(error instanceof Error) || !('code' in error)) throw error;
        if (typeof error.code !== 'number') throw error;
        const isBroken = produced > 0 && !/EOF/.test(error.message);
        throw new Complaint(
          isBroken ? 'invalid compressed data--format violated' : 'unexpected end of file',
          1,
        );
      }
    },
  };
}

/** Whether a source is packed. The source can still be read from its start afterwards. */
export async function isPacked(source: ByteSource, out?: Writer): Promise<boolean> {
  let first = (await nextPiece(source, out)) ?? new Uint8Array();
  while (first.length < 2) {
    const more = await nextPiece(source, out);
    if (!more) break;
    first = joined([first, more]);
  }
  source.unread(first);
  return first[0] === 0x1f && first[1] === 0x8b;
}
