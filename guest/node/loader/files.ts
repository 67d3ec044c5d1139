/** The file operations that the loader needs. Paths are absolute. */
export interface LoaderFiles {
  /** The type of a path, symlinks followed. Undefined where there is nothing. */
  look(path: string): 'file' | 'directory' | undefined;
  readText(path: string): string;
  realpath(path: string): string;
}

export interface PackageJson {
  readonly path: string;
  readonly folder: string;
  readonly name: string | undefined;
  readonly main: string | undefined;
  readonly type: 'module' | 'commonjs' | 'none';
  readonly exports: unknown;
  readonly imports: unknown;
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

/** Joins `path` to `folder`, and resolves `.`, `..` and double slashes. */
export function joined(folder: string, path: string): string {
  const names: string[] = [];
  for (const name of `${path.startsWith('/') ? '' : folder}/${path}`.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

/** Paths that stand in a URL as they are: nothing is escaped, and there are no parts that a URL resolves. */
const PLAIN = /^(?:\/(?!\.{1,2}(?:\/|$))[\w@+.-]+)+$/;

/** Turns `/a/b c` into `file:///a/b%20c`. */
export function fileUrl(path: string): string {
  if (PLAIN.test(path)) return `file://${path}`;
  const escaped = path.replace(/[%\\\n\r\t?#]/g, (char) => encodeURIComponent(char));
  return new URL(`file://${escaped}`).href;
}

export function pathOfUrl(url: URL): string {
  return decodeURIComponent(url.pathname);
}
