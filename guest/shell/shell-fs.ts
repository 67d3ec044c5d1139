export type BufferEncoding = 'utf8' | 'utf-8' | 'ascii' | 'binary' | 'base64' | 'hex' | 'latin1';

export type FileContent = string | Uint8Array;

/** The encoding of text; the default is UTF-8. */
export type TextOptions = BufferEncoding | { encoding?: BufferEncoding };

export interface FsStat {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly isSymbolicLink: boolean;
  readonly mode: number;
  /** In bytes. */
  readonly size: number;
  readonly mtime: Date;
  /**
   * The inode number is the same for all names of a file, and `names` counts them. Both are absent where the
   * file system does not know them.
   */
  readonly inode?: number;
  readonly names?: number;
}

export interface FsEntry extends Pick<FsStat, 'isFile' | 'isDirectory' | 'isSymbolicLink'> {
  readonly name: string;
  /** The entry's `lstat`, where the file system delivers it together with the name. */
  readonly stat?: FsStat;
}

export interface ImageState {
  readonly version: string;
  /** How many bytes are fetched for it. */
  readonly bytes: number;
  /** Whether it was fetched already. */
  readonly isHere: boolean;
}

/**
 * The asynchronous file system that the shell works on. Paths are absolute. Failures are `Error`s whose
 * message starts with a code, such as `ENOENT:`.
 */
export interface ShellFs {
  readFile(path: string, options?: BufferEncoding | { encoding?: BufferEncoding | null }): Promise<string>;
  readFileBuffer(path: string): Promise<Uint8Array>;
  writeFile(path: string, content: FileContent, options?: TextOptions): Promise<void>;
  appendFile(path: string, content: FileContent, options?: TextOptions): Promise<void>;
  exists(path: string): Promise<boolean>;
  /** Follows links. */
  stat(path: string): Promise<FsStat>;
  /** Does not follow a link at the end of the path. */
  lstat(path: string): Promise<FsStat>;
  mkdir(path: string, options?: { recursive?: boolean }): Promise<void>;
  readdir(path: string): Promise<string[]>;
  readdirWithFileTypes?(path: string): Promise<FsEntry[]>;
  /**
   * Whether two files have the same content, where the file system can compare them without reading them out;
   * false also where it cannot.
   */
  sameContent?(one: string, other: string): Promise<boolean>;
  /** Whether the content of the file that is at a path, or would be, may be read; absent where every file may. */
  mayRead?(path: string): Promise<boolean>;
  /** Facts about a program that is fetched when it is first used; null where there is none of this name. */
  image?(name: string): Promise<ImageState | null>;
  /** The source of a command that is loaded when it is first run; absent where there are none. */
  part?(name: string): Promise<string>;
  rm(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void>;
  cp(from: string, to: string, options?: { recursive?: boolean }): Promise<void>;
  mv(from: string, to: string): Promise<void>;
  /** Resolves `path` against the folder `base`. The answer is absolute. */
  resolvePath(base: string, path: string): string;
  chmod(path: string, mode: number): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  readlink(path: string): Promise<string>;
  realpath(path: string): Promise<string>;
  utimes(path: string, accessed: Date, modified: Date): Promise<void>;
}
