import ts from 'typescript';
import type { ProjectConfig } from './config.ts';
import type { FileTable } from './file-table.ts';
import { Libraries } from './libraries.ts';

/** One project's language service over the files that are known. */
export class Project {
  readonly config: ProjectConfig;
  readonly service: ts.LanguageService;
  readonly #files: FileTable;
  /** The shape of the files that it was made for: among others, names may lead elsewhere. */
  readonly shape: number;
  readonly #listed: ReadonlySet<string>;
  /** Files outside its config that were asked about. */
  readonly #besides = new Set<string>();
  #former: Project | undefined;

  /** `former` is the same project as it was: what it has parsed of files that are the same still is taken over. */
  constructor(
    config: ProjectConfig,
    files: FileTable,
    libraries: Libraries,
    registry: ts.DocumentRegistry,
    former?: Project,
  ) {
    this.config = config;
    this.shape = files.shape;
    this.#files = files;
    this.#former = former;
    this.#listed = new Set(config.files);
    this.service = ts.createLanguageService(this.#host(libraries), registry);
  }

  has(path: string): boolean {
    return this.#listed.has(path);
  }

  include(path: string): void {
    if (!this.has(path)) this.#besides.add(path);
  }

  /** Every file and every import as they are known now. */
  program(): ts.Program {
    const program = this.service.getProgram();
    if (!program) throw new Error('A service that checks has a program.');
    // Only now: what nobody holds any more is forgotten.
    this.#former?.dispose();
    this.#former = undefined;
    return program;
  }

  dispose(): void {
    this.#former?.dispose();
    this.#former = undefined;
    this.service.dispose();
  }

  #host(libraries: Libraries): ts.LanguageServiceHost {
    const files = this.#files;
    const text = (path: string) => libraries.text(path) ?? files.text(path);
    return {
      getCompilationSettings: () => this.config.options,
      getScriptFileNames: () => [...this.config.files, ...this.#besides].filter((path) => files.has(path)),
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
      directoryExists: (path) => files.hasFolder(path),
      getDirectories: (path) => files.folders(path),
      readDirectory: () => [],
      realpath: (path) => path,
    };
  }
}
