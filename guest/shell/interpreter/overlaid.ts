import type { ShellFs } from '../shell-fs.ts';

/** A file system in which `own` replaces some of the methods. */
export function overlaid(files: ShellFs, own: Partial<ShellFs>): ShellFs {
  return new Proxy(files, {
    get(target, key) {
      const mine: unknown = Reflect.get(own, key);
      if (mine !== undefined) return mine;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

export const USUAL_MASK = 0o022;

/** A file system that applies a umask to new files and folders. */
export function masked(files: ShellFs, mask: number): ShellFs {
  if (mask === USUAL_MASK) return files;
  const create = async (path: string, mode: number, work: () => Promise<void>): Promise<void> => {
    const isNew = !(await files.exists(path));
    await work();
    if (isNew) await files.chmod(path, mode & ~mask);
  };
  return overlaid(files, {
    writeFile: (path, content, options) => create(path, 0o666, () => files.writeFile(path, content, options)),
    appendFile: (path, content, options) =>
      create(path, 0o666, () => files.appendFile(path, content, options)),
    async mkdir(path, options) {
      if (options?.recursive) {
        const parts = path.split('/');
        for (let end = 2; end < parts.length; end++) {
          const above = parts.slice(0, end).join('/');
          if (!(await files.exists(above))) await create(above, 0o777, () => files.mkdir(above));
        }
      }
      await create(path, 0o777, () => files.mkdir(path, options));
    },
  });
}
