import { components } from '../../src/protocol/paths.ts';
import type {
  FsCall,
  FsEntryAnswer,
  FsImageAnswer,
  FsListedAnswer,
  FsStatAnswer,
} from '../shared/protocol.ts';
import type { BufferEncoding, ShellFs } from './shell-fs.ts';
import { decode, encode } from './text-encoding.ts';

/** Sends a call to the kernel; rejects with an Error that has a `code`. */
export type AskKernel = <Answer>(call: FsCall) => Promise<Answer>;

type EncodingOption = BufferEncoding | { readonly encoding?: BufferEncoding | null } | undefined;

/** Gives the interpreter the kernel's files through the interface it expects. */
export class KernelFs implements ShellFs {
  readonly #ask: AskKernel;
  constructor(ask: AskKernel) {
    this.#ask = ask;
  }

  async readFile(path: string, options?: EncodingOption): Promise<string> {
    return decode(await this.readFileBuffer(path), encodingOf(options));
  }

  readFileBuffer(path: string): Promise<Uint8Array> {
    return this.#ask({ op: 'read', path });
  }

  writeFile(path: string, content: string | Uint8Array, options?: EncodingOption): Promise<void> {
    return this.#ask({ op: 'write', path, content: encode(content, encodingOf(options)) });
  }

  appendFile(path: string, content: string | Uint8Array, options?: EncodingOption): Promise<void> {
    return this.#ask({ op: 'append', path, content: encode(content, encodingOf(options)) });
  }

  exists(path: string): Promise<boolean> {
    return this.#ask({ op: 'exists', path });
  }

  async stat(path: string) {
    return shaped(await this.#ask<FsStatAnswer>({ op: 'stat', path }));
  }

  async lstat(path: string) {
    return shaped(await this.#ask<FsStatAnswer>({ op: 'lstat', path }));
  }

  mkdir(path: string, options: { readonly recursive?: boolean } = {}): Promise<void> {
    return this.#ask({ op: 'mkdir', path, recursive: options.recursive ?? false });
  }

  async readdir(path: string): Promise<string[]> {
    const entries = await this.#ask<FsEntryAnswer[]>({ op: 'readdir', path });
    return entries.map(({ name }) => name);
  }

  async readdirWithFileTypes(path: string) {
    const entries = await this.#ask<FsListedAnswer[]>({ op: 'entries', path });
    return entries.map((entry) => {
      const stat = shaped(entry);
      const { isFile, isDirectory, isSymbolicLink } = stat;
      return { name: entry.name, isFile, isDirectory, isSymbolicLink, stat };
    });
  }

  sameContent(one: string, other: string): Promise<boolean> {
    return this.#ask({ op: 'same', from: one, to: other });
  }

  async mayRead(path: string): Promise<boolean> {
    try {
      await this.#ask({ op: 'mayRead', path });
      return true;
    } catch {
      return false;
    }
  }

  image(name: string): Promise<FsImageAnswer | null> {
    return this.#ask({ op: 'image', name });
  }

  part(name: string): Promise<string> {
    return this.#ask({ op: 'part', path: name });
  }

  rm(path: string, options: { readonly recursive?: boolean; readonly force?: boolean } = {}): Promise<void> {
    return this.#ask({
      op: 'rm',
      path,
      recursive: options.recursive ?? false,
      force: options.force ?? false,
    });
  }

  cp(from: string, to: string, options: { readonly recursive?: boolean } = {}): Promise<void> {
    return this.#ask({ op: 'cp', from, to, recursive: options.recursive ?? false });
  }

  mv(from: string, to: string): Promise<void> {
    return this.#ask({ op: 'mv', from, to });
  }

  resolvePath(base: string, path: string): string {
    const names: string[] = [];
    for (const part of components(path, base)) {
      if (part === '..') names.pop();
      else names.push(part);
    }
    return `/${names.join('/')}`;
  }

  chmod(path: string, mode: number): Promise<void> {
    return this.#ask({ op: 'chmod', path, mode });
  }

  symlink(target: string, path: string): Promise<void> {
    return this.#ask({ op: 'symlink', target, path });
  }

  link(from: string, to: string): Promise<void> {
    return this.#ask({ op: 'link', from, to });
  }

  readlink(path: string): Promise<string> {
    return this.#ask({ op: 'readlink', path });
  }

  realpath(path: string): Promise<string> {
    return this.#ask({ op: 'realpath', path });
  }

  utimes(path: string, accessed: Date, modified: Date): Promise<void> {
    return this.#ask({ op: 'utimes', path, modified: modified.getTime(), accessed: accessed.getTime() });
  }
}

function shaped({ type, size, mode, modified, inode, names }: FsStatAnswer) {
  return { ...kinds(type), size, mode, mtime: new Date(modified), inode, names };
}

/** Devices count as files: the interpreter reads and redirects to them by the same calls. */
function kinds(type: FsStatAnswer['type']) {
  return {
    isFile: type === 'file' || type === 'device',
    isDirectory: type === 'directory',
    isSymbolicLink: type === 'symlink',
  };
}

function encodingOf(options: EncodingOption): BufferEncoding {
  return (typeof options === 'object' ? options.encoding : options) ?? 'utf8';
}
