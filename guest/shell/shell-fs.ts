export type BufferEncoding = 'utf8' | 'utf-8' | 'ascii' | 'binary' | 'base64' | 'hex' | 'latin1';

export type FileContent = string | Uint8Array;

/** How text is read or written; UTF-8 where it is not told. */
export type TextOptions = BufferEncoding | { encoding?: BufferEncoding };

export interface FsStat {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly isSymbolicLink: boolean;
  readonly mode: number;
  /** In bytes. */
  readonly size: number;
  readonly mtime: Date;
  /** The same for each name of a file, and how many names it has: where the files tell. */
  readonly inode?: number;
  readonly names?: number;
}

export interface FsEntry extends Pick<FsStat, 'isFile' | 'isDirectory' | 'isSymbolicLink'> {
  readonly name: string;
}

/**
 * Asynchronous files as the shell wants them, by absolute paths. Fails with an `Error` whose message starts with
 * `ENOENT:` and the like.
 */
export interface ShellFs {
  readFile(path: string, options?: BufferEncoding | { encoding?: BufferEncoding | null }): Promise<string>;
  readFileBuffer(path: string): Promise<Uint8Array>;
  writeFile(path: string, content: FileContent, options?: TextOptions): Promise<void>;
  appendFile(path: string, content: FileContent, options?: TextOptions): Promise<void>;
  exists(path: string): Promise<boolean>;
  /** Of what a link leads to. */
  stat(path: string): Promise<FsStat>;
  /** Of a link itself. */
  lstat(path: string): Promise<FsStat>;
  mkdir(path: string, options?: { recursive?: boolean }): Promise<void>;
  readdir(path: string): Promise<string[]>;
  readdirWithFileTypes?(path: string): Promise<FsEntry[]>;
  rm(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void>;
  cp(from: string, to: string, options?: { recursive?: boolean }): Promise<void>;
  mv(from: string, to: string): Promise<void>;
  /** `path` from the folder `base`, absolute. */
  resolvePath(base: string, path: string): string;
  chmod(path: string, mode: number): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  readlink(path: string): Promise<string>;
  realpath(path: string): Promise<string>;
  utimes(path: string, accessed: Date, modified: Date): Promise<void>;
}
