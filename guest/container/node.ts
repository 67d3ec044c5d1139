/**
 * The part of Node's `fs` that the helper uses. These types stand in for those of Node, which must not be visible in the
 * rest of the app, where there is no Node.
 */
export interface NodeFs {
  readFile(path: string): Promise<Uint8Array>;
  readdir(path: string): Promise<string[]>;
  lstat(path: string): Promise<NodeStats>;
  realpath(path: string): Promise<string>;
  readlink(path: string): Promise<string>;
  rm(path: string, options: { force: boolean; recursive?: boolean }): Promise<void>;
  mkdir(path: string, options: { recursive: boolean }): Promise<unknown>;
  writeFile(path: string, content: Uint8Array): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  /** Both times are seconds since the epoch. */
  utimes(path: string, accessed: number, modified: number): Promise<void>;
}

export interface NodeStats {
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs: number;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export interface NodeProcess {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdout: { write(text: string): void };
  readonly stdin: {
    setRawMode?(raw: boolean): void;
    on(event: 'data', listener: (piece: unknown) => void): void;
  };
  exit(code: number): void;
}

export interface ChildProcess {
  readonly stdin: {
    write(bytes: Uint8Array): void;
    end(): void;
    on(event: 'error', listener: () => void): void;
  };
  readonly stdout: { on(event: 'data', listener: (bytes: Uint8Array) => void): void };
  readonly stderr: { on(event: 'data', listener: (bytes: Uint8Array) => void): void };
  on(event: 'error' | 'close', listener: (value: unknown) => void): void;
  kill(): void;
}
