import LightningFS from '@isomorphic-git/lightning-fs';
import git from 'isomorphic-git';
import { Buffer } from 'buffer/';
import { files } from './page-workspace.ts';

const DIR = '/project';
const AUTHOR = { name: 'Bench', email: 'bench@example.com' };

/** The same files in the git that pages use today, on the file system made for it, in the browser's storage. */
export class PageGit {
  readonly #fs = new LightningFS('bench-git', { wipe: true });
  #edits = 0;

  /** Writes all files and keeps them once; milliseconds of the keeping. */
  async open(): Promise<number> {
    Object.assign(globalThis, { Buffer });
    const made = new Set<string>([DIR]);
    await this.#fs.promises.mkdir(DIR);
    for (const { path, text } of files()) {
      const parts = path.split('/').slice(0, -1);
      for (let depth = 1; depth <= parts.length; depth++) {
        const folder = `${DIR}/${parts.slice(0, depth).join('/')}`;
        if (!made.has(folder)) await this.#fs.promises.mkdir(folder);
        made.add(folder);
      }
      await this.#fs.promises.writeFile(`${DIR}/${path}`, text);
    }
    await git.init({ fs: this.#fs, dir: DIR });
    return this.#keep();
  }

  /** Milliseconds to keep all files after an edit of one. */
  async snapshot(): Promise<number> {
    await this.#fs.promises.writeFile(`${DIR}/dir0/sub0/file0.ts`, `export const edit = ${++this.#edits};\n`);
    return this.#keep();
  }

  async #keep(): Promise<number> {
    const started = performance.now();
    await git.add({ fs: this.#fs, dir: DIR, filepath: '.' });
    await git.commit({ fs: this.#fs, dir: DIR, message: 'bench', author: AUTHOR, noUpdateBranch: true });
    return performance.now() - started;
  }
}
