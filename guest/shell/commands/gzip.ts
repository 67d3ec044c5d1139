import { gunzipSync, gzipSync } from 'fflate';
import { Complaint, fileError, type Call, type Output } from './command.ts';
import { parseOptions, type Options } from './options.ts';

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
    'suffix=S',
    'fast=1',
    'best=9',
  ],
};

/** What fflate can expand at once without taking the shell's memory. */
const MAX_EXPANDED = 512 * 1024 * 1024;

export function gzip(call: Call): Promise<Output> {
  return run(call, false, false);
}

export function gunzip(call: Call): Promise<Output> {
  return run(call, true, false);
}

export function zcat(call: Call): Promise<Output> {
  return run(call, true, true);
}

async function run(call: Call, expands: boolean, toStdout: boolean): Promise<Output> {
  const options = parseOptions(call.args, SPEC);
  const unpacks = expands || options.has.has('d') || options.has.has('t');
  const prints = toStdout || options.has.has('c') || options.has.has('t');
  const stdout: Uint8Array[] = [];
  let stderr = '';
  const operands = options.operands.length > 0 ? options.operands : ['-'];
  for (const name of operands) {
    try {
      if (name === '-') stdout.push(convert(call.stdin(), unpacks, options));
      else await convertFile(call, name, unpacks, prints, options, stdout);
    } catch (error) {
      stderr += `gzip: ${name === '-' ? 'stdin' : name}: ${error instanceof Complaint ? error.message : fileError(error)}\n`;
    }
  }
  return { stdout: options.has.has('t') ? '' : joined(stdout), stderr, code: stderr ? 1 : 0 };
}

async function convertFile(
  call: Call,
  name: string,
  unpacks: boolean,
  prints: boolean,
  options: Options,
  stdout: Uint8Array[],
): Promise<void> {
  const path = call.path(name);
  if ((await call.files.stat(path)).isDirectory) throw new Complaint('is a directory -- ignored');
  const target = unpacks
    ? path.replace(/\.t?gz$/, (suffix) => (suffix === '.tgz' ? '.tar' : ''))
    : `${path}.gz`;
  if (!prints && target === path) throw new Complaint('unknown suffix -- ignored');
  if (!prints && !unpacks && path.endsWith('.gz')) throw new Complaint('already has .gz suffix -- unchanged');
  const content = convert(await call.files.readFileBuffer(path), unpacks, options);
  if (prints) {
    stdout.push(content);
    return;
  }
  if (!options.has.has('f') && (await call.files.exists(target))) {
    throw new Complaint(`${target.slice(target.lastIndexOf('/') + 1)} already exists; not overwritten`);
  }
  await call.files.writeFile(target, content);
  if (!options.has.has('k')) await call.files.rm(path);
}

function convert(content: Uint8Array, unpacks: boolean, options: Options): Uint8Array {
  return unpacks ? expand(content) : gzipSync(content, { level: levelOf(options), mtime: 0 });
}

function levelOf(options: Options): 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 {
  const levels = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
  return levels.find((level) => options.has.has(String(level))) ?? 6;
}

export function isGzip(content: Uint8Array): boolean {
  return content[0] === 0x1f && content[1] === 0x8b;
}

export function expand(content: Uint8Array): Uint8Array {
  if (!isGzip(content)) throw new Complaint('not in gzip format');
  if (content.length < 18) throw new Complaint('unexpected end of file');
  // The last four bytes tell the length, so a bomb is refused before it is opened.
  const length = new DataView(content.buffer, content.byteOffset).getUint32(content.length - 4, true);
  if (length > MAX_EXPANDED) throw new Complaint('too large to expand here');
  try {
    return gunzipSync(content);
  } catch {
    throw new Complaint('unexpected end of file, or not in gzip format');
  }
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
