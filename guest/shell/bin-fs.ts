import type { BufferEncoding, FileContent, FsStat, ImageState, ShellFs, TextOptions } from './shell-fs.ts';

const EPOCH = new Date(0);
const FOLDERS = new Map<string, readonly string[]>([
  ['/bin', []],
  ['/usr', ['bin']],
  ['/usr/bin', []],
]);

function failure(code: string, text: string, call: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${text}, ${call} '${path}'`), { code });
}

/**
 * A file system in which `/bin` and `/usr/bin` hold the shell's commands. It answers for them itself, because
 * the shell looks there before every command and the files themselves may be a message away.
 */
export class BinFs implements ShellFs {
  readonly #files: ShellFs;
  readonly #names: ReadonlySet<string>;

  constructor(files: ShellFs, names: Iterable<string>) {
    this.#files = files;
    this.#names = new Set(names);
  }

  /** Says what one of the paths that this class answers for holds; undefined for every other path. */
  #entry(path: string): 'folder' | 'command' | 'nothing' | undefined {
    const slash = path.startsWith('/bin/') ? 4 : path.startsWith('/usr/bin/') ? 8 : -1;
    if (slash >= 0) return this.#names.has(path.slice(slash + 1)) ? 'command' : 'nothing';
    return FOLDERS.has(path) ? 'folder' : undefined;
  }

  #stat(path: string, call: string): FsStat | undefined {
    const entry = this.#entry(path);
    if (entry === undefined) return undefined;
    if (entry === 'nothing') throw failure('ENOENT', 'no such file or directory', call, path);
    const isFile = entry === 'command';
    return {
      isFile,
      isDirectory: !isFile,
      isSymbolicLink: false,
      mode: 0o755,
      size: isFile ? this.#content(path).length : 0,
      mtime: EPOCH,
    };
  }

  #content(path: string): string {
    return `#!/bin/bash\n# ${path.slice(path.lastIndexOf('/') + 1)} is built into this shell.\n`;
  }

  #text(path: string): string | undefined {
    const entry = this.#entry(path);
    if (entry === undefined) return undefined;
    if (entry === 'folder') throw failure('EISDIR', 'illegal operation on a directory', 'read', path);
    if (entry === 'nothing') throw failure('ENOENT', 'no such file or directory', 'open', path);
    return this.#content(path);
  }

  #listing(path: string): string[] | undefined {
    const entry = this.#entry(path);
    if (entry === undefined) return undefined;
    if (entry === 'nothing') throw failure('ENOENT', 'no such file or directory', 'scandir', path);
    if (entry === 'command') throw failure('ENOTDIR', 'not a directory', 'scandir', path);
    return path === '/usr' ? ['bin'] : [...this.#names].sort();
  }

  #refuse(call: string, ...paths: string[]): void {
    for (const path of paths) {
      if (this.#entry(path) !== undefined) throw failure('EROFS', 'read-only file system', call, path);
    }
  }

  async readFile(
    path: string,
    options?: BufferEncoding | { encoding?: BufferEncoding | null },
  ): Promise<string> {
    return this.#text(path) ?? this.#files.readFile(path, options);
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    const text = this.#text(path);
    return text === undefined ? this.#files.readFileBuffer(path) : new TextEncoder().encode(text);
  }

  async writeFile(path: string, content: FileContent, options?: TextOptions) {
    this.#refuse('open', path);
    return this.#files.writeFile(path, content, options);
  }

  async appendFile(path: string, content: FileContent, options?: TextOptions) {
    this.#refuse('open', path);
    return this.#files.appendFile(path, content, options);
  }

  async exists(path: string): Promise<boolean> {
    const entry = this.#entry(path);
    return entry === undefined ? this.#files.exists(path) : entry !== 'nothing';
  }

  async stat(path: string): Promise<FsStat> {
    return this.#stat(path, 'stat') ?? this.#files.stat(path);
  }

  async lstat(path: string): Promise<FsStat> {
    return this.#stat(path, 'lstat') ?? this.#files.lstat(path);
  }

  async mkdir(path: string, options?: { recursive?: boolean }): Promise<void> {
    if (options?.recursive && this.#entry(path) === 'folder') return;
    this.#refuse('mkdir', path);
    return this.#files.mkdir(path, options);
  }

  async readdir(path: string): Promise<string[]> {
    const own = this.#listing(path);
    if (own) return own;
    const names = await this.#files.readdir(path);
    return path === '/' ? [...new Set([...names, 'bin', 'usr'])].sort() : names;
  }

  async readdirWithFileTypes(path: string) {
    const own = this.#listing(path);
    if (own) {
      const isFile = path !== '/usr';
      return own.map((name) => ({ name, isFile, isDirectory: !isFile, isSymbolicLink: false }));
    }
    if (path !== '/' && this.#files.readdirWithFileTypes) return this.#files.readdirWithFileTypes(path);
    const names = await this.readdir(path);
    return Promise.all(
      names.map(async (name) => {
        const stat = await this.lstat(path === '/' ? `/${name}` : `${path}/${name}`);
        const { isFile, isDirectory, isSymbolicLink } = stat;
        return { name, isFile, isDirectory, isSymbolicLink };
      }),
    );
  }

  part(name: string): Promise<string> {
    return this.#files.part?.(name) ?? Promise.reject(new Error('it is not part of this workspace'));
  }

  async sameContent(one: string, other: string): Promise<boolean> {
    if (this.#entry(one) !== undefined || this.#entry(other) !== undefined) return false;
    return (await this.#files.sameContent?.(one, other)) ?? false;
  }

  async mayRead(path: string): Promise<boolean> {
    return (await this.#files.mayRead?.(path)) ?? true;
  }

  async image(name: string): Promise<ImageState | null> {
    return (await this.#files.image?.(name)) ?? null;
  }

  async rm(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void> {
    this.#refuse('rm', path);
    return this.#files.rm(path, options);
  }

  async cp(from: string, to: string, options?: { recursive?: boolean }): Promise<void> {
    this.#refuse('cp', to);
    const text = this.#entry(from) === 'command' ? this.#content(from) : undefined;
    return text === undefined ? this.#files.cp(from, to, options) : this.#files.writeFile(to, text);
  }

  async mv(from: string, to: string): Promise<void> {
    this.#refuse('rename', from, to);
    return this.#files.mv(from, to);
  }

  resolvePath(base: string, path: string): string {
    return this.#files.resolvePath(base, path);
  }

  async chmod(path: string, mode: number): Promise<void> {
    this.#refuse('chmod', path);
    return this.#files.chmod(path, mode);
  }

  async symlink(target: string, path: string): Promise<void> {
    this.#refuse('symlink', path);
    return this.#files.symlink(target, path);
  }

  async link(from: string, to: string): Promise<void> {
    this.#refuse('link', from, to);
    return this.#files.link(from, to);
  }

  async readlink(path: string): Promise<string> {
    if (this.#entry(path) !== undefined) throw failure('EINVAL', 'invalid argument', 'readlink', path);
    return this.#files.readlink(path);
  }

  async realpath(path: string): Promise<string> {
    if (this.#stat(path, 'realpath')) return path;
    return this.#files.realpath(path);
  }

  async utimes(path: string, atime: Date, mtime: Date): Promise<void> {
    this.#refuse('utimes', path);
    return this.#files.utimes(path, atime, mtime);
  }
}
