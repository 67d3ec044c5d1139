import { refusal, toBase64 } from './world.ts';

/** Operations that change files. The app carries them out, and asks for permission. */
export interface FileChanges {
  write(path: string, content: string, append: boolean): Promise<void>;
  remove(path: string, recursive: boolean): Promise<void>;
  makeDirectory(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
}

type Callback = (error: unknown, value?: unknown) => void;
type Functions = Record<string, unknown>;

/** The parts of Node's `fs` that only read. The workspace applies its rules for reading when a file is opened. */
const READ_ONLY = [
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
 * `fs` and `fs/promises` as custom tools get them: reading is Node's own, and changes go through the app. Functions that
 * cannot wait for permission are refused.
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
  const promises: Functions = { ...readOnlyPart(own), ...changing };
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
  const allowed: Functions = { ...readOnlyPart(fs), ...callbacks, promises };
  return {
    fs: guarded(allowed, Object.keys(fs), 'fs'),
    promises: guarded(promises, Object.keys(own), 'fs/promises'),
  };
}

function readOnlyPart(functions: Functions): Functions {
  return Object.fromEntries(
    READ_ONLY.flatMap((name) => (name in functions ? [[name, functions[name]]] : [])),
  );
}

/** Adds a function for each name that is left out, which throws an error that says why. */
function guarded(allowed: Functions, names: readonly string[], module: string): Functions {
  const refused = names
    .filter((name) => !(name in allowed) && name !== 'default')
    .map((name) => [
      name,
      () => {
        throw refusal(
          'EPERM',
          `${module}.${name} cannot ask for permission first. Use writeFile, appendFile, mkdir, rm, rename or copyFile from fs/promises instead.`,
        );
      },
    ]);
  const all: Functions = { ...Object.fromEntries(refused), ...allowed };
  return { ...all, default: all, __esModule: true };
}
