import { messageOf } from '../../../src/base/message-of.ts';
import { nodeError } from '../builtins/internal/errors.ts';
import { folderOf, type LoaderFiles, type PackageJson } from './files.ts';

/** Reads package.json files, each once. */
export class Packages {
  readonly #files: LoaderFiles;
  readonly #read = new Map<string, PackageJson | undefined>();

  constructor(files: LoaderFiles) {
    this.#files = files;
  }

  /** The package.json in this folder itself. */
  at(folder: string): PackageJson | undefined {
    const path = folder === '/' ? '/package.json' : `${folder}/package.json`;
    if (!this.#read.has(path)) this.#read.set(path, this.#load(path, folder));
    return this.#read.get(path);
  }

  /** The package.json of the package that a file or folder belongs to. */
  scopeOf(path: string): PackageJson | undefined {
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      if (folder.endsWith('/node_modules')) return undefined;
      const found = this.at(folder);
      if (found) return found;
      if (folder === '/') return undefined;
    }
  }

  #load(path: string, folder: string): PackageJson | undefined {
    if (this.#files.look(path) !== 'file') return undefined;
    let json: unknown;
    try {
      json = JSON.parse(this.#files.readText(path));
    } catch (error) {
      const message = messageOf(error);
      throw nodeError('ERR_INVALID_PACKAGE_CONFIG', `Invalid package config ${path}. ${message}`);
    }
    if (typeof json !== 'object' || json === null) return undefined;
    const { name, main, type, exports, imports }: Record<string, unknown> = { ...json };
    return {
      path,
      folder,
      name: typeof name === 'string' ? name : undefined,
      main: typeof main === 'string' ? main : undefined,
      type: type === 'module' || type === 'commonjs' ? type : 'none',
      exports,
      imports: typeof imports === 'object' ? imports : undefined,
    };
  }
}
