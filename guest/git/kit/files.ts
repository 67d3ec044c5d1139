import { messageOf } from '../../../src/base/message-of.ts';
import type { FsEntry, FsStat, ShellFs } from '../../shell/shell-fs.ts';

const encoder = new TextEncoder();

/** The files of the workspace, in the few calls that git needs. Paths are absolute. */
export class Files {
  readonly fs: ShellFs;

  constructor(fs: ShellFs) {
    this.fs = fs;
  }

  /** Undefined where there is no such file. */
  async read(path: string): Promise<Uint8Array | undefined> {
    try {
      return await this.fs.readFileBuffer(path);
    } catch (error) {
      if (isMissing(error) || /^E(ISDIR|NOTDIR)/.test(messageOf(error))) return undefined;
      throw error;
    }
  }

  async text(path: string): Promise<string | undefined> {
    const bytes = await this.read(path);
    return bytes && new TextDecoder().decode(bytes);
  }

  /** Writes a file, and makes the folders above it where they are missing. */
  async write(path: string, content: Uint8Array | string): Promise<void> {
    const bytes = typeof content === 'string' ? encoder.encode(content) : content;
    try {
      await this.fs.writeFile(path, bytes);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await this.fs.mkdir(folderOf(path), { recursive: true });
      await this.fs.writeFile(path, bytes);
    }
  }

  async append(path: string, text: string): Promise<void> {
    await this.fs.mkdir(folderOf(path), { recursive: true });
    await this.fs.appendFile(path, encoder.encode(text));
  }

  /** Removes a file or folder; does nothing where it is missing. */
  async remove(path: string): Promise<void> {
    await this.fs.rm(path, { recursive: true, force: true });
  }

  exists(path: string): Promise<boolean> {
    return this.fs.exists(path);
  }

  async lstat(path: string): Promise<FsStat | undefined> {
    try {
      return await this.fs.lstat(path);
    } catch {
      return undefined;
    }
  }

  async isFolder(path: string): Promise<boolean> {
    try {
      return (await this.fs.stat(path)).isDirectory;
    } catch {
      return false;
    }
  }

  /** The entries of a folder with their `lstat`; empty where it is missing. */
  async list(path: string): Promise<(FsEntry & { readonly stat: FsStat })[]> {
    try {
      const entries = this.fs.readdirWithFileTypes
        ? await this.fs.readdirWithFileTypes(path)
        : (await this.fs.readdir(path)).map((name) => ({ name, stat: undefined }));
      return await Promise.all(
        entries.map(async (entry) => {
          const stat = entry.stat ?? (await this.fs.lstat(`${path}/${entry.name}`));
          const { isFile, isDirectory, isSymbolicLink } = stat;
          return { name: entry.name, isFile, isDirectory, isSymbolicLink, stat };
        }),
      );
    } catch (error) {
      if (isMissing(error) || /^ENOTDIR/.test(messageOf(error))) return [];
      throw error;
    }
  }
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function isMissing(error: unknown): boolean {
  return /^ENOENT/.test(messageOf(error));
}

/** Gives isomorphic-git these files in the form of node's `fs.promises`, with the codes that it looks for. */
export function nodeFs(fs: ShellFs) {
  const coded =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await call(...args);
      } catch (error) {
        const [code] = /^E[A-Z]+/.exec(messageOf(error)) ?? [];
        throw Object.assign(error instanceof Error ? error : new Error(messageOf(error)), { code });
      }
    };
  const stat = (of: (path: string) => Promise<FsStat>) =>
    coded(async (path: string) => {
      const { isFile, isDirectory, isSymbolicLink, size, mode, mtime } = await of(path);
      return {
        ...{ size, mode, mtimeMs: mtime.getTime(), ctimeMs: mtime.getTime() },
        ...{ isFile: () => isFile, isDirectory: () => isDirectory, isSymbolicLink: () => isSymbolicLink },
      };
    });
  return {
    promises: {
      readFile: coded(async (path: string, options?: string | { readonly encoding?: string }) => {
        const bytes = await fs.readFileBuffer(path);
        return options === 'utf8' || (typeof options === 'object' && options.encoding === 'utf8')
          ? new TextDecoder().decode(bytes)
          : bytes;
      }),
      writeFile: coded((path: string, content: Uint8Array | string) => fs.writeFile(path, content)),
      unlink: coded((path: string) => fs.rm(path)),
      readdir: coded((path: string) => fs.readdir(path)),
      mkdir: coded((path: string) => fs.mkdir(path)),
      rmdir: coded((path: string) => fs.rm(path)),
      stat: stat((path) => fs.stat(path)),
      lstat: stat((path) => fs.lstat(path)),
      readlink: coded((path: string) => fs.readlink(path)),
      symlink: coded((target: string, path: string) => fs.symlink(target, path)),
      chmod: coded((path: string, mode: number) => fs.chmod(path, mode)),
    },
  };
}
