import picomatch from 'picomatch';
import type { ShellFs } from '../shell-fs.ts';

interface Rule {
  readonly matches: (relative: string) => boolean;
  readonly foldersOnly: boolean;
  readonly ignores: boolean;
}

/** The rules of `.gitignore` and `.ignore` files, read once for each folder that is entered. */
export class IgnoreRules {
  readonly #files: ShellFs;
  readonly #byFolder = new Map<string, Promise<readonly Rule[]>>();

  constructor(files: ShellFs) {
    this.#files = files;
  }

  /** Asks the rules of every folder from `top` down to the path's own; the last that matches decides. */
  async ignores(path: string, isDirectory: boolean, top: string): Promise<boolean> {
    let ignored = false;
    for (const folder of foldersBetween(top, path)) {
      const relative = path.slice(folder === '/' ? 1 : folder.length + 1);
      for (const rule of await this.#rulesOf(folder)) {
        if ((isDirectory || !rule.foldersOnly) && rule.matches(relative)) ignored = rule.ignores;
      }
    }
    return ignored;
  }

  #rulesOf(folder: string): Promise<readonly Rule[]> {
    let rules = this.#byFolder.get(folder);
    if (!rules) {
      rules = Promise.all(['.gitignore', '.ignore'].map((name) => this.#read(`${folder}/${name}`))).then(
        (read) => read.flat(),
      );
      this.#byFolder.set(folder, rules);
    }
    return rules;
  }

  async #read(path: string): Promise<Rule[]> {
    const text = await this.#files.readFile(path).catch(() => '');
    return text.split('\n').flatMap((line) => rule(line.trimEnd()));
  }
}

function foldersBetween(top: string, path: string): string[] {
  const folders = [top];
  for (let at = path.indexOf('/', top.length + 1); at >= 0; at = path.indexOf('/', at + 1)) {
    folders.push(path.slice(0, at));
  }
  return folders;
}

function rule(line: string): Rule[] {
  if (line === '' || line.startsWith('#')) return [];
  const ignores = !line.startsWith('!');
  let glob = ignores ? line.replace(/^\\/, '') : line.slice(1);
  const foldersOnly = glob.endsWith('/');
  glob = glob.replace(/\/+$/, '');
  const anchored = glob.includes('/');
  const test = picomatch(anchored ? glob.replace(/^\/+/, '') : `**/${glob}`, { dot: true });
  return [{ matches: test, foldersOnly, ignores }];
}
