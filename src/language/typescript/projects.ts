import ts from 'typescript';
import { FaultError } from '../../base/fault.ts';
import { defaultConfig, isCode, isOwnCode, nearestConfig, readConfig } from './config.ts';
import type { FileTable } from './file-table.ts';
import type { Libraries } from './libraries.ts';
import { Project } from './project.ts';

/** The projects of a workspace. Each is created when one of its files is first asked about. */
export class Projects {
  readonly #files: FileTable;
  readonly #root: string;
  readonly #libraries: Libraries;
  readonly #registry = ts.createDocumentRegistry(true, '/');
  /** Keyed by the path of the config; empty for code without one. */
  readonly #known = new Map<string, Project>();

  constructor(files: FileTable, root: string, libraries: Libraries) {
    this.#files = files;
    this.#root = root;
    this.#libraries = libraries;
  }

  /** The project that a file belongs to. Throws a fault where the file is not code. */
  of(path: string): Project {
    if (!isCode(path)) throw unsupported(path);
    const project = this.#candidate(path);
    project.include(path);
    return project;
  }

  /** All projects, including one for code without a config. */
  all(): readonly Project[] {
    const own = this.#files.paths().filter(isOwnCode);
    const projects = own.map((path) => {
      const project = this.#candidate(path);
      if (project.config.path === null) project.include(path);
      return project;
    });
    return [...new Set(projects)];
  }

  /** The project whose config lists the file, else the nearest one if it can contain files of this type. */
  #candidate(path: string): Project {
    const nearest = nearestConfig(this.#files, path, this.#root);
    if (nearest === null) return this.#project('');
    const seen = new Set<string>();
    const find = (config: string): Project | undefined => {
      if (seen.has(config) || !this.#files.has(config)) return undefined;
      seen.add(config);
      const project = this.#project(config);
      if (project.has(path)) return project;
      return project.config.references.map(find).find((found) => found !== undefined);
    };
    const found = find(nearest);
    if (found) return found;
    const project = this.#project(nearest);
    const fits = /\.[cm]?tsx?$/.test(path) || project.config.options.allowJs === true;
    return fits ? project : this.#project('');
  }

  /** Reads the config again when the shape of the files has changed. */
  #project(config: string): Project {
    const known = this.#known.get(config);
    if (known?.shape === this.#files.shape) return known;
    const read = config === '' ? defaultConfig(this.#files, this.#root) : readConfig(this.#files, config);
    const created = new Project(read, this.#files, this.#libraries, this.#registry, known);
    this.#known.set(config, created);
    return created;
  }
}

function unsupported(path: string): FaultError {
  return new FaultError({
    code: 'no-language',
    what: `${path} is neither TypeScript nor JavaScript, so the language service cannot do this.`,
  });
}
