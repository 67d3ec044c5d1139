import { nodeError } from '../builtins/internal/errors.ts';
import { optionsOf, pathOf } from './arguments.ts';
import type { FileHandleClass } from './file-handle.ts';
import { isIterable } from './file-handle.ts';
import { named, type FsFunctions } from './functions.ts';

/** Adds the functions of `node:fs/promises` that use handles, and those that the other forms lack. */
export function addPromiseFiles({ core, calls, promises }: FsFunctions, FileHandle: FileHandleClass): void {
  promises.open = async (path: unknown, flags?: unknown, mode?: unknown) =>
    new FileHandle(Number(await calls.promised(core.open)(path, flags, mode)));
  for (const name of ['readFile', 'writeFile', 'appendFile'] as const)
    promises[name] = named(name, async (file: unknown, ...args: unknown[]): Promise<unknown> => {
      if (file instanceof FileHandle) return Reflect.apply(file[name], file, args);
      pathOf(file);
      const [data, options] = args;
      if (name !== 'writeFile' || !isIterable(data)) return calls.promised(core[name])(file, ...args);
      // The data are pieces, which are written one after the other.
      const { flag, mode } = optionsOf(options);
      const handle = new FileHandle(await calls.later(() => core.open(file, flag || 'w', mode)));
      try {
        return await handle.writeFile(data, options);
      } finally {
        await handle.close();
      }
    });

  promises.truncate = named('truncate', async (path: unknown, length?: unknown) => {
    pathOf(path);
    return calls.later(() => core.truncate(path, length));
  });
  promises.lchmod = named('lchmod', async () => {
    throw nodeError('ERR_METHOD_NOT_IMPLEMENTED', 'The lchmod() method is not implemented');
  });
}
