/*
 * Runs in a WebContainer, as `node helper.cjs NONCE REQUEST`, and does what the container's file system API cannot.
 * REQUEST is JSON in base64, or `@` and the path of a file with the JSON, which is then removed. The code uses only
 * `vitrineRequire` and globals that both Node and the test host have.
 */
import { messageOf } from '../../src/base/message-of.ts';
import {
  frame,
  typedLines,
  type HelperMessage,
  type HelperRequest,
} from '../../src/protocol/container-frames.ts';
import { ROOT } from '../../src/base/places.ts';
import type { GlobQuery, GlobResult, GrepResult, Stat } from '../../src/protocol/workspace-values.ts';
import { notingDirectory } from '../../src/protocol/container-directory.ts';
import { isInside } from '../../src/protocol/paths.ts';
import { isIgnoreFile } from '../../src/protocol/ignored.ts';
import { glob } from '../search/glob.ts';
import { grep } from '../search/grep.ts';
import { Replica } from '../search/replica.ts';
import { ignoredBy } from '../search/scope.ts';
import type { SearchQuery } from '../shared/protocol.ts';
import type { ChildProcess, NodeFs, NodeProcess, NodeStats } from './node.ts';

/** `require`, under a name that no bundler looks for. The code that writes this file into the container defines it. */
declare const vitrineRequire: (name: string) => unknown;
declare const process: NodeProcess;

const fs = (vitrineRequire('fs') as { promises: NodeFs }).promises;
const [, program = '', nonce = '', requestArgument = ''] = process.argv;

/** How many file system calls may run at once. */
const MAX_PARALLEL_CALLS = 32;
/** Larger files are not searched. */
const MAX_TEXT_BYTES = 2 * 1024 * 1024;

void main();

async function main(): Promise<void> {
  try {
    const request = await read();
    if (request.ask === 'run') return run(request);
    say({ answer: await answer(request) });
  } catch (error) {
    const code = hasCode(error) ? error.code : error instanceof SyntaxError ? 'EINVAL' : 'EIO';
    say({ failed: { code, message: messageOf(error) } });
  }
}

function say(message: HelperMessage): void {
  process.stdout.write(frame(nonce, message));
}

async function read(): Promise<HelperRequest> {
  if (!requestArgument.startsWith('@'))
    return JSON.parse(new TextDecoder().decode(fromBase64(requestArgument))) as HelperRequest;
  const text = new TextDecoder().decode(await fs.readFile(requestArgument.slice(1)));
  await fs.rm(requestArgument.slice(1), { force: true });
  return JSON.parse(text) as HelperRequest;
}

async function answer(request: Exclude<HelperRequest, { ask: 'run' }>): Promise<unknown> {
  switch (request.ask) {
    case 'scan':
      return (await walk(ROOT, false)).map(({ path, ...node }) => ({
        path: path.slice(ROOT.length + 1),
        ...node,
      }));
    case 'stat':
      return statOf(request.path);
    case 'list':
      return mapInParallel(await fs.readdir(request.path), async (name) => ({
        name,
        ...statFrom(await fs.lstat(`${request.path}/${name}`)),
      }));
    case 'glob':
      return searchFiles(request.query, { pattern: request.query.pattern, texts: false }, (replica) =>
        glob(replica, request.query),
      );
    case 'grep':
      if (request.query.texts) return grep(new Replica(), request.query);
      return searchFiles(request.query, { pattern: request.query.include ?? '', texts: true }, (replica) =>
        grep(replica, request.query, (partial) => say({ partial })),
      );
    case 'apply':
      await mapInParallel(request.nodes, async ({ path, mode, modified }) => {
        await fs.chmod(path, mode).catch(() => {});
        if (modified !== undefined) await fs.utimes(path, modified / 1000, modified / 1000).catch(() => {});
      });
      return null;
    case 'keep':
      await fs.rm(request.folder, { force: true, recursive: true });
      await fs.mkdir(request.folder, { recursive: true });
      for (const { path, content } of request.files) {
        const file = `${request.folder}/${path}`;
        await fs.mkdir(file.slice(0, file.lastIndexOf('/')), { recursive: true });
        await fs.writeFile(file, fromBase64(content));
        await fs.chmod(file, 0o444).catch(() => {});
      }
      return null;
    case 'programs':
      return (await mapInParallel(request.folders, (folder) => fs.readdir(folder).catch(() => []))).flat();
  }
}

interface TreeEntry extends Stat {
  readonly path: string;
  readonly target?: string;
}

/** Lists everything below `top`, sorted by path. `intoPackages` says whether to look into `node_modules` folders too. */
async function walk(top: string, intoPackages: boolean): Promise<TreeEntry[]> {
  const all: TreeEntry[] = [];
  let folders = [top];
  while (folders.length > 0) {
    const listed = await mapInParallel(folders, async (folder) => {
      const names = await fs.readdir(folder).catch(() => []);
      return names.filter((name) => !isOurs(folder, name)).map((name) => `${folder}/${name}`);
    });
    const nodes = await mapInParallel(listed.flat(), nodeAt);
    folders = [];
    for (const node of nodes) {
      if (!node) continue;
      all.push(node);
      if (node.type === 'directory' && (intoPackages || !node.path.endsWith('/node_modules')))
        folders.push(node.path);
    }
  }
  return all.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function nodeAt(path: string): Promise<TreeEntry | undefined> {
  try {
    const stat = statFrom(await fs.lstat(path));
    return stat.type === 'symlink' ? { path, ...stat, target: await fs.readlink(path) } : { path, ...stat };
  } catch {
    // It was removed while the folder was being read.
    return undefined;
  }
}

function isOurs(folder: string, name: string): boolean {
  return folder === ROOT && name.startsWith('.vitrine-');
}

async function statOf(path: string): Promise<{ real: string; stat: Stat | null }> {
  try {
    const real = await fs.realpath(path);
    return { real, stat: statFrom(await fs.lstat(real)) };
  } catch (error) {
    if (hasCode(error) && error.code === 'ENOENT') {
      const slash = path.lastIndexOf('/');
      if (slash <= 0) return { real: path, stat: null };
      const folder = await statOf(path.slice(0, slash));
      return { real: `${folder.real}${path.slice(slash)}`, stat: null };
    }
    throw error;
  }
}

function statFrom(stats: NodeStats): Stat {
  const type = stats.isSymbolicLink() ? 'symlink' : stats.isDirectory() ? 'directory' : 'file';
  return {
    type,
    size: type === 'directory' ? 0 : stats.size,
    modified: Math.floor(stats.mtimeMs),
    mode: stats.mode & 0o7777,
  };
}

interface SearchTarget {
  /** The query's path pattern. */
  readonly pattern: string;
  /** Whether the search needs the files' texts, not only their names. */
  readonly texts: boolean;
}

/** Searches the files below a folder. It reads only the files that the search needs, and the ignore files. */
async function searchFiles<T extends GlobResult | GrepResult>(
  { path, skipIgnored = false }: Pick<SearchQuery<GlobQuery>, 'path' | 'skipIgnored'>,
  { pattern, texts }: SearchTarget,
  search: (replica: Replica) => T,
): Promise<T> {
  const intoPackages = path.includes('/node_modules') || pattern.includes('node_modules');
  const nodes = await walk(ROOT, intoPackages);
  const files = nodes.filter(({ type }) => type === 'file');
  const replica = new Replica();
  const put = (some: readonly TreeEntry[], isRead: (file: string) => boolean) =>
    mapInParallel(some, async ({ path: file, modified, size }) => {
      const skipped = !isRead(file) || size > MAX_TEXT_BYTES;
      const bytes = skipped ? new Uint8Array() : await fs.readFile(file).catch(() => new Uint8Array());
      replica.put({ path: file, modified, bytes });
    });
  await put(
    files.filter((file) => isIgnoreFile(file.path)),
    () => true,
  );
  const ignored = skipIgnored ? ignoredBy(replica.files(), path, pattern) : undefined;
  await put(
    files.filter((file) => isInside(file.path, path) && !isIgnoreFile(file.path)),
    (file) => texts && !file.includes('/.git/') && !ignored?.has(file, false),
  );
  const found = search(replica);
  // The walk left packages out, so the search itself does not know that they are ignored.
  const packages = nodes.some(
    ({ path: folder }) => isInside(folder, path) && folder.endsWith('/node_modules'),
  );
  return skipIgnored && !intoPackages && packages ? { ...found, ignored: true } : found;
}

async function mapInParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item !== undefined) results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL_CALLS, items.length) }, worker));
  return results;
}

function run({ command, env, tellsDirectory }: Extract<HelperRequest, { ask: 'run' }>): void {
  const { spawn } = vitrineRequire('child_process') as {
    spawn(program: string, args: string[], how: object): ChildProcess;
  };
  const note = tellsDirectory
    ? `${program.slice(0, program.lastIndexOf('/'))}/.vitrine-${nonce}.cwd`
    : undefined;
  const noted = note === undefined ? command : notingDirectory(command, note);
  const child = spawn('jsh', ['-c', noted], { env: { ...process.env, ...env }, stdio: 'pipe' });
  const output = (bytes: Uint8Array) => say({ output: toBase64(bytes) });
  child.stdout.on('data', output);
  child.stderr.on('data', output);
  // A program that does not read its input is not an error.
  child.stdin.on('error', () => {});
  child.on('error', (error) => {
    output(new TextEncoder().encode(`${String(error)}\n`));
    void end(127);
  });
  child.on('close', (code) => void end(typeof code === 'number' ? code : 1));
  process.stdin.setRawMode?.(true);
  let rest = '';
  process.stdin.on('data', (piece) => {
    const typed = typedLines(rest + String(piece));
    rest = typed.rest;
    for (const line of typed.lines) {
      if (line === '.') child.stdin.end();
      else if (line === '!') child.kill();
      else if (line !== '') child.stdin.write(fromBase64(line));
    }
  });
  async function end(code: number): Promise<void> {
    const cwd = note === undefined ? undefined : await takeNote(note);
    say({ exit: code, ...(cwd !== undefined && { cwd }) });
    process.exit(code);
  }
}

/** Reads and removes the note with the command's last directory. Undefined where the command left none. */
async function takeNote(note: string): Promise<string | undefined> {
  try {
    const text = new TextDecoder().decode(await fs.readFile(note));
    await fs.rm(note, { force: true });
    return text.replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
}

function hasCode(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
