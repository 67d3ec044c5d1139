import { access, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../../src/base/places.ts';
import { EXCLUDE_FILE, IgnoreRules } from '../../src/protocol/ignore-rules.ts';

const NEVER_COPIED = new Set(['node_modules', '.git']);
const IGNORE_FILE = '.gitignore';

/**
 * Reads the files of a folder by their paths, without `node_modules`, `.git`, what git ignores there, and the folders `except`.
 * Rejects if there is no such folder.
 */
export async function filesBelow(
  folder: string,
  except: readonly string[] = [],
): Promise<Record<string, Uint8Array>> {
  const base = path.resolve(folder);
  const isFolder = await stat(base).then(
    (about) => about.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new Error(`There is no folder ${base}.`);
  const top = await repositoryOf(base);
  const rules = await rulesAbove(base, top);
  const leftOut = new Set(except.map((each) => path.resolve(each)));
  const files: Record<string, Uint8Array> = {};
  const visit = async (at: string): Promise<void> => {
    await addRules(rules, at, top);
    for (const entry of await readdir(at, { withFileTypes: true })) {
      const full = path.join(at, entry.name);
      const isFolder = entry.isDirectory();
      if (NEVER_COPIED.has(entry.name) || leftOut.has(full)) continue;
      if (rules.ignores(inRoot(full, top), isFolder)) continue;
      if (isFolder) await visit(full);
      else if (entry.isFile()) files[slashed(path.relative(base, full))] = await readFile(full);
    }
  };
  await visit(base);
  return files;
}

/** The folder of the git repository that a folder is in, or the folder itself. */
async function repositoryOf(folder: string): Promise<string> {
  for (let at = folder; ; at = path.dirname(at)) {
    const isTop = await access(path.join(at, '.git')).then(
      () => true,
      () => false,
    );
    if (isTop) return at;
    if (at === path.dirname(at)) return folder;
  }
}

/** The rules of a repository for one folder in it, without those of the folder itself. */
async function rulesAbove(folder: string, top: string): Promise<IgnoreRules> {
  const rules = new IgnoreRules();
  rules.addWeakest(ROOT, await textOf(path.join(top, EXCLUDE_FILE)));
  for (let at = folder; at !== top;) {
    at = path.dirname(at);
    await addRules(rules, at, top);
  }
  return rules;
}

async function addRules(rules: IgnoreRules, folder: string, top: string): Promise<void> {
  rules.add(inRoot(folder, top), IGNORE_FILE, await textOf(path.join(folder, IGNORE_FILE)));
}

const textOf = (file: string) => readFile(file, 'utf8').catch(() => '');

/** A path of this machine as the rules see it. */
function inRoot(full: string, top: string): string {
  const relative = slashed(path.relative(top, full));
  return relative === '' ? ROOT : `${ROOT}/${relative}`;
}

const slashed = (name: string) => name.replaceAll(path.sep, '/');
