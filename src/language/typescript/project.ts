import ts from 'typescript';
import type { ProjectConfig } from './config.ts';
import type { FileTable } from './file-table.ts';
import { Libraries } from './libraries.ts';

/** The language service of one project. */
export class Project {
  readonly config: ProjectConfig;
  readonly service: ts.LanguageService;
  readonly #files: FileTable;
  /** The shape of the files that the project was made for; with another shape, imports may resolve differently. */
  readonly shape: number;
  readonly #listed: ReadonlySet<string>;
  /** Files outside the config that were asked about. */
  readonly #outsideConfig = new Set<string>();
  #previous: Project | undefined;

  /** `former` is the earlier state of the same project; its parsed files are reused where they have not changed. */
  constructor(
    config: ProjectConfig,
    files: FileTable,
    libraries: Libraries,
    registry: ts.DocumentRegistry,
    previous?: Project,
  ) {
    this.config = config;
    this.shape = files.shape;
    this.#files = files;
    this.#previous = previous;
    this.#listed = new Set(config.files);
    this.service = ts.createLanguageService(this.#host(libraries), registry);
  }

  has(path: string): boolean {
    return this.#listed.has(path);
  }

  include(path: string): void {
    if (!this.has(path)) this.#outsideConfig.add(path);
  }

  /** The program with the current files and imports. */
  program(): ts.Program {
    const program = this.service.getProgram();
    if (!program) throw new Error('A service that checks has a program.');
    // Disposed only now, because the registry drops parsed files that nothing uses.
    this.#previous?.dispose();
    this.#previous = undefined;
    return program;
  }

  dispose(): void {
    this.#previous?.dispose();
    this.#previous = undefined;
    this.service.dispose();
  }

  #host(libraries: Libraries): ts.LanguageServiceHost {
    const files = this.#files;
    const text = (path: string) => libraries.text(path) ?? files.text(path);
    return {
      getCompilationSettings: () => this.config.options,
      getScriptFileNames: () =>
        [...this.config.files, ...this.#outsideConfig].filter((path) => files.has(path)),
      getScriptVersion: (path) => files.version(path),
      getScriptSnapshot(path) {
        const found = text(path);
        return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
      },
      getCurrentDirectory: () => '/',
      getDefaultLibFileName: (options) => Libraries.path(ts.getDefaultLibFileName(options)),
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => '\n',
      fileExists: (path) => files.has(path) || libraries.text(path) !== undefined,
      readFile: text,
      directoryExists: (path) => files.hasFolder(folderOf(path)),
      getDirectories: (path) => files.folders(folderOf(path)),
      // Asked for when the path of an import is completed. Which files belong to the project is for its config.
      readDirectory: (folder, extensions = []) =>
        files
          .names(folderOf(folder))
          .filter((name) => extensions.some((extension) => name.endsWith(extension)))
          .map((name) => `${folderOf(folder)}/${name}`),
      realpath: (path) => path,
    };
  }
}

/** TypeScript asks for some folders with a slash at their end. */
function folderOf(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
