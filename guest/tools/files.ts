import { refusal, toBase64 } from './world.ts';

/** What changes files: the app does it, and asks. */
export interface FileChanges {
  write(path: string, content: string, append: boolean): Promise<void>;
  remove(path: string, recursive: boolean): Promise<void>;
  makeDirectory(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
}

type Callback = (error: unknown, value?: unknown) => void;
type Functions = Record<string, unknown>;

/** Of node's `fs`, what only looks; the workspace holds its rules for reading when a file is opened. */
const LOOKING = [
  'access',
  'accessSync',
  'constants',
  'createReadStream',
  'Dirent',
  'existsSync',
  'exists',
  'lstat',
  'lstatSync',
  'opendir',
  'opendirSync',
  'readdir',
  'readdirSync',
  'readFile',
  'readFileSync',
  'readlink',
  'readlinkSync',
  'realpath',
  'realpathSync',
  'stat',
  'statSync',
  'Stats',
  'watch',
  'watchFile',
  'unwatchFile',
];

/**
 * `fs` and `fs/promises` as code of the workspace gets them: reading is node's own, and what changes files goes through
 * the app. What cannot wait for an answer is refused.
 */
export function filesOf(
  fs: Functions,
  changes: FileChanges,
): { readonly fs: Functions; readonly promises: Functions } {
  const own =
    typeof fs['promises'] === 'object' && fs['promises'] !== null ? (fs['promises'] as Functions) : {};
  const pathOf = (path: unknown) => (path instanceof URL ? decodeURIComponent(path.pathname) : String(path));
  const option = (options: unknown, name: string): unknown =>
    typeof options === 'object' && options !== null ? Reflect.get(options, name) : undefined;
  const isRecursive = (options: unknown) => option(options, 'recursive') === true;
  const isForced = (options: unknown) => option(options, 'force') === true;
  const isAppending = (options: unknown) => String(option(options, 'flag')).startsWith('a');

  const changing: Record<string, (...args: unknown[]) => Promise<unknown>> = {
    writeFile: (path, content, options) =>
      changes.write(pathOf(path), toBase64(content), isAppending(options)),
    appendFile: (path, content) => changes.write(pathOf(path), toBase64(content), true),
    mkdir: (path) => changes.makeDirectory(pathOf(path)),
    rm: (path, options) =>
      changes.remove(pathOf(path), isRecursive(options)).catch((error: unknown) => {
        if (!isForced(options)) throw error;
      }),
    rmdir: (path, options) => changes.remove(pathOf(path), isRecursive(options)),
    unlink: (path) => changes.remove(pathOf(path), false),
    rename: (from, to) => changes.rename(pathOf(from), pathOf(to)),
    copyFile: async (from, to) => {
      const read = own['readFile'];
      if (typeof read !== 'function') throw refusal('ENOSYS', 'copyFile');
      return changes.write(pathOf(to), toBase64(await read(from)), false);
    },
  };
  const promises: Functions = { ...looking(own), ...changing };
  const callbacks = Object.fromEntries(
    Object.entries(changing).map(([name, change]) => [
      name,
      (...args: unknown[]) => {
        const done = args.at(-1);
        if (typeof done !== 'function') throw new TypeError('The "cb" argument must be of type function.');
        const call = done as Callback;
        change(...args.slice(0, -1)).then(
          (value) => call(null, value),
          (error: unknown) => call(error),
        );
      },
    ]),
  );
  const shown: Functions = { ...looking(fs), ...callbacks, promises };
  return {
    fs: guarded(shown, Object.keys(fs), 'fs'),
    promises: guarded(promises, Object.keys(own), 'fs/promises'),
  };
}

function looking(functions: Functions): Functions {
  return Object.fromEntries(LOOKING.flatMap((name) => (name in functions ? [[name, functions[name]]] : [])));
}

/** What is left out says why, where it is called. */
function guarded(shown: Functions, names: readonly string[], module: string): Functions {
  const refused = names
    .filter((name) => !(name in shown) && name !== 'default')
    .map((name) => [
      name,
      () => {
        throw refusal(
          'EPERM',
          `${module}.${name} cannot ask before it changes something. Use writeFile, appendFile, mkdir, rm, rename or copyFile of fs/promises.`,
        );
      },
    ]);
  const all: Functions = { ...Object.fromEntries(refused), ...shown };
  return { ...all, default: all, __esModule: true };
}
