import { ALWAYS_IGNORED, EXCLUDE_FILE, IGNORE_FILES, IgnoreRules } from './ignore-rules.ts';
import { isInside } from './paths.ts';
import { ROOT } from '../base/places.ts';
import type { Entry } from './workspace-values.ts';

/** As much of a workspace's files as the search for ignore files needs. */
export interface ReadableFiles {
  read(path: string, options: { readonly real: boolean }): Promise<Uint8Array>;
}

export interface IgnoreExceptions {
  /** The folder that was given by its path. It is searched even if it is ignored. */
  readonly base?: string;
  /** A glob. The names that it spells out are found even if they are ignored. */
  readonly pattern?: string | undefined;
}

/** Which paths of a workspace are ignored: by the rules themselves, or because a folder above them is. */
export class Ignored {
  readonly #rules: IgnoreRules;
  readonly #base: string;
  readonly #spelled: ReadonlySet<string>;
  readonly #folders = new Map<string, boolean>([[ROOT, false]]);

  constructor(rules: IgnoreRules, { base = ROOT, pattern = '' }: IgnoreExceptions = {}) {
    this.#rules = rules;
    this.#base = base;
    this.#spelled = new Set(
      pattern.split('/').filter((part) => part !== '' && !/[*?[\]{}()!+@|\\]/.test(part)),
    );
  }

  /** `path` is absolute and inside the root. */
  has(path: string, isDirectory: boolean): boolean {
    const known = this.#folders.get(path);
    if (known !== undefined) return known;
    const slash = path.lastIndexOf('/');
    const ignored =
      !isInside(this.#base, path) &&
      (this.has(path.slice(0, slash), true) ||
        (!this.#spelled.has(path.slice(slash + 1)) && this.#rules.ignores(path, isDirectory)));
    if (isDirectory) this.#folders.set(path, ignored);
    return ignored;
  }
}

/** Whether an absolute path is that of an ignore file. */
export function isIgnoreFile(path: string): boolean {
  return path === `${ROOT}/${EXCLUDE_FILE}` || IGNORE_FILES.some((name) => path.endsWith(`/${name}`));
}

/** The rules of these ignore files, together with the fixed ones. `path` is absolute. */
export function ignoreRules(files: Iterable<{ readonly path: string; readonly text: string }>): IgnoreRules {
  const rules = new IgnoreRules();
  for (const { path, text } of files) {
    const slash = path.lastIndexOf('/');
    if (path === `${ROOT}/${EXCLUDE_FILE}`) rules.addWeakest(ROOT, text);
    else rules.add(path.slice(0, slash), path.slice(slash + 1), text);
  }
  rules.addWeakest(ROOT, ALWAYS_IGNORED);
  return rules;
}

/** The names of the ignored entries of one folder. Empty if the folder itself is ignored: it was given by its path. */
export async function ignoredEntries(
  files: ReadableFiles,
  folder: string,
  entries: readonly Pick<Entry, 'name' | 'type'>[],
): Promise<ReadonlySet<string>> {
  const ignored = new Ignored(ignoreRules(await ignoreFilesAbove(files, folder)), { base: folder });
  return new Set(
    entries.flatMap(({ name, type }) => (ignored.has(`${folder}/${name}`, type === 'directory') ? name : [])),
  );
}

async function ignoreFilesAbove(
  files: ReadableFiles,
  folder: string,
): Promise<{ path: string; text: string }[]> {
  const paths = [`${ROOT}/${EXCLUDE_FILE}`];
  for (let at = folder; isInside(at, ROOT); at = at.slice(0, at.lastIndexOf('/')))
    paths.push(...IGNORE_FILES.map((name) => `${at}/${name}`));
  const read = await Promise.all(
    paths.map(async (path) => {
      // A symlink could lead to a hidden file.
      const bytes = await files.read(path, { real: true }).catch(() => null);
      return bytes ? { path, text: new TextDecoder().decode(bytes) } : [];
    }),
  );
  return read.flat();
}
