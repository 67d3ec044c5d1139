/*
 * Runs in a WebContainer, by `node helper.cjs NONCE REQUEST`: what the file system's own interface lacks. REQUEST is
 * base64 of JSON, or `@` and the path of a file with the JSON, which is removed. Only `vitrineRequire` and globals that Node and
 * the test host both have are used.
 */
import { frame, type HelperMessage, type HelperRequest } from '../../src/workspace/webcontainer/frames.ts';
import { ROOT, type Stat } from '../../src/workspace/workspace.ts';
import { isInside } from '../../src/workspace/paths.ts';
import { glob } from '../search/glob.ts';
import { grep } from '../search/grep.ts';
import { Replica } from '../search/replica.ts';
import type { ChildProcess, NodeFs, NodeProcess, NodeStats } from './node.ts';

/** `require`, under a name that no bundler looks for; set by whoever lays this file down. */
declare const vitrineRequire: (name: string) => unknown;
declare const process: NodeProcess;

const fs = (vitrineRequire('fs') as { promises: NodeFs }).promises;
const [, , nonce = '', given = ''] = process.argv;

/** So many calls of the file system at once. */
const POOL = 32;
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
    say({ failed: { code, message: error instanceof Error ? error.message : String(error) } });
  }
}

function say(message: HelperMessage): void {
  process.stdout.write(frame(nonce, message));
}

async function read(): Promise<HelperRequest> {
  if (!given.startsWith('@')) return JSON.parse(new TextDecoder().decode(fromBase64(given))) as HelperRequest;
  const text = new TextDecoder().decode(await fs.readFile(given.slice(1)));
  await fs.rm(given.slice(1), { force: true });
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
      return pooled(await fs.readdir(request.path), async (name) => ({
        name,
        ...shaped(await fs.lstat(`${request.path}/${name}`)),
      }));
    case 'glob':
      return glob(await replicaOf(request.query.path, request.query.pattern, false), request.query);
    case 'grep':
      return grep(
        request.query.texts
          ? new Replica()
          : await replicaOf(request.query.path, request.query.include ?? '', true),
        request.query,
        (partial) => say({ partial }),
      );
    case 'apply':
      await pooled(request.nodes, async ({ path, mode, modified }) => {
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
      return (await pooled(request.folders, (folder) => fs.readdir(folder).catch(() => []))).flat();
  }
}

interface Walked extends Stat {
  readonly path: string;
  readonly target?: string;
}

/** What is in a `node_modules` only where asked for by `within`. */
async function walk(top: string, within: boolean): Promise<Walked[]> {
  const all: Walked[] = [];
  let folders = [top];
  while (folders.length > 0) {
    const listed = await pooled(folders, async (folder) => {
      const names = await fs.readdir(folder).catch(() => []);
      return names.filter((name) => !isOurs(folder, name)).map((name) => `${folder}/${name}`);
    });
    const nodes = await pooled(listed.flat(), nodeAt);
    folders = [];
    for (const node of nodes) {
      if (!node) continue;
      all.push(node);
      if (node.type === 'directory' && (within || !node.path.endsWith('/node_modules')))
        folders.push(node.path);
    }
  }
  return all.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function nodeAt(path: string): Promise<Walked | undefined> {
  try {
    const stat = shaped(await fs.lstat(path));
    return stat.type === 'symlink' ? { path, ...stat, target: await fs.readlink(path) } : { path, ...stat };
  } catch {
    // It went while the folder was being read.
    return undefined;
  }
}

function isOurs(folder: string, name: string): boolean {
  return folder === ROOT && name.startsWith('.vitrine-');
}

async function statOf(path: string): Promise<{ real: string; stat: Stat | null }> {
  try {
    const real = await fs.realpath(path);
    return { real, stat: shaped(await fs.lstat(real)) };
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

function shaped(stats: NodeStats): Stat {
  const type = stats.isSymbolicLink() ? 'symlink' : stats.isDirectory() ? 'directory' : 'file';
  return {
    type,
    size: type === 'directory' ? 0 : stats.size,
    modified: Math.floor(stats.mtimeMs),
    mode: stats.mode & 0o7777,
  };
}

/** The texts below a folder, as the embedded workspace's search has them. */
async function replicaOf(path: string, pattern: string, contents: boolean): Promise<Replica> {
  const replica = new Replica();
  const within = path.includes('/node_modules') || pattern.includes('node_modules');
  const files = (await walk(ROOT, within)).filter(
    (node) => node.type === 'file' && isInside(node.path, path),
  );
  await pooled(files, async ({ path: file, modified, size }) => {
    const skipped = !contents || size > MAX_TEXT_BYTES || file.includes('/.git/');
    const bytes = skipped ? new Uint8Array() : await fs.readFile(file).catch(() => new Uint8Array());
    replica.put({ path: file, modified, bytes });
  });
  return replica;
}

async function pooled<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item !== undefined) results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(POOL, items.length) }, worker));
  return results;
}

/** Lines of input: base64, `.` for its end, `!` to kill. */
function run({ command, env }: Extract<HelperRequest, { ask: 'run' }>): void {
  const { spawn } = vitrineRequire('child_process') as {
    spawn(program: string, args: string[], how: object): ChildProcess;
  };
  const child = spawn('jsh', ['-c', command], { env: { ...process.env, ...env }, stdio: 'pipe' });
  const output = (bytes: Uint8Array) => say({ output: toBase64(bytes) });
  child.stdout.on('data', output);
  child.stderr.on('data', output);
  // A program that does not read its input is not an error.
  child.stdin.on('error', () => {});
  child.on('error', (error) => {
    output(new TextEncoder().encode(`${String(error)}\n`));
    end(127);
  });
  child.on('close', (code) => end(typeof code === 'number' ? code : 1));
  process.stdin.setRawMode?.(true);
  let rest = '';
  process.stdin.on('data', (piece) => {
    const lines = (rest + String(piece)).split(/[\r\n]+/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '.') child.stdin.end();
      else if (line === '!') child.kill();
      else if (line !== '') child.stdin.write(fromBase64(line));
    }
  });
  function end(code: number): void {
    say({ exit: code });
    process.exit(code);
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
