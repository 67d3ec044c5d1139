import { Gunzip, gzipSync } from 'fflate';
import { Complaint, fileError, type Call, type Output } from './command.ts';
import { joined } from './io.ts';
import { parseOptions, valueOf, type Options } from './options.ts';
import { filesBelow } from './walk.ts';

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
  const lines: string[] = [];
  let stderr = '';
  let code = 0;
  const operands = options.operands.length > 0 ? options.operands : ['-'];
  for (const name of operands) {
    try {
      if (name === '-') stdout.push(convert(call.stdin(), unpacks, options));
      else {
        for (const file of await filesOf(call, name, options)) {
          if (options.has.has('l')) lines.push(await listed(call, file));
          else await convertFile(call, file, unpacks, prints, options, stdout);
        }
      }
    } catch (error) {
      code = error instanceof Complaint ? Math.max(code, error.code) : 1;
      stderr += `gzip: ${name === '-' ? 'stdin' : name}: ${error instanceof Complaint ? error.message : fileError(error)}\n`;
    }
  }
  if (options.has.has('l'))
    return {
      stdout: `         compressed        uncompressed  ratio uncompressed_name\n${lines.join('')}`,
      stderr,
      code,
    };
  return { stdout: options.has.has('t') ? '' : joined(stdout), stderr, code };
}

async function filesOf(call: Call, name: string, options: Options): Promise<string[]> {
  const path = call.path(name);
  if (!options.has.has('r') || !(await call.files.stat(path)).isDirectory) return [name];
  const found: string[] = [];
  for await (const { shown } of filesBelow(call.files, path, name)) found.push(shown);
  return found;
}

async function listed(call: Call, name: string): Promise<string> {
  const packed = await call.files.readFileBuffer(call.path(name));
  const { length } = expand(packed);
  const ratio = length === 0 ? 0 : ((length - packed.length + 18) / length) * 100;
  const numbers = `${String(packed.length).padStart(19)} ${String(length).padStart(19)}`;
  return `${numbers} ${ratio.toFixed(1).padStart(5)}% ${name.replace(/\.t?gz$/, '')}\n`;
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
  const content = convert(await call.files.readFileBuffer(path), unpacks, options);
  if (prints) {
    stdout.push(content);
    return;
  }
  if (!options.has.has('f') && (await call.files.exists(target))) {
    throw new Complaint(`${target.slice(target.lastIndexOf('/') + 1)} already exists; not overwritten`, 2);
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
  if (!isGzip(content)) throw new Complaint('not in gzip format', 1);
  if (content.length < 18) throw new Complaint('unexpected end of file', 1);
  // The last four bytes tell the length, so a bomb is refused before it is opened.
  const length = new DataView(content.buffer, content.byteOffset).getUint32(content.length - 4, true);
  if (length > MAX_EXPANDED) throw new Complaint('too large to expand here', 1);
  try {
    // Several members one after the other are one stream.
    const parts: Uint8Array[] = [];
    new Gunzip((part) => void parts.push(part)).push(content, true);
    return joined(parts);
  } catch {
    throw new Complaint('unexpected end of file, or not in gzip format', 1);
  }
}
