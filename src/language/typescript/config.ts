import picomatch from 'picomatch';
import ts from 'typescript';
import type { FileTable } from './file-table.ts';

/** The settings and files of a project. */
export interface ProjectConfig {
  /** The path of the `tsconfig.json` or `jsconfig.json`; `null` where there is none. */
  readonly path: string | null;
  readonly options: ts.CompilerOptions;
  readonly files: readonly string[];
  /** The paths of the configs that this one references. */
  readonly references: readonly string[];
  readonly errors: readonly ts.Diagnostic[];
}

const PACKAGES = /\/(?:node_modules|bower_components|jspm_packages)\//;

export function isCode(path: string): boolean {
  return /\.(?:[cm]?[jt]s|[jt]sx)$/.test(path);
}

/** Whether this is code of the project itself, not of an installed package. */
export function isOwnCode(path: string): boolean {
  return isCode(path) && !PACKAGES.test(path);
}

/** The nearest config at or above `path`; `null` where there is none below `root`. */
export function nearestConfig(files: FileTable, path: string, root: string): string | null {
  for (let folder = parentOf(path); folder.startsWith(root); folder = parentOf(folder)) {
    const found = ['tsconfig.json', 'jsconfig.json'].find((name) => files.has(`${folder}/${name}`));
    if (found) return `${folder}/${found}`;
  }
  return null;
}

/** Never throws: problems of a config are in its `errors`. */
export function readConfig(files: FileTable, path: string): ProjectConfig {
  const text = files.text(path);
  // The text has been requested and will follow.
  if (text === undefined) return { path, options: { noEmit: true }, files: [], references: [], errors: [] };
  const source = ts.readJsonConfigFile(path, () => text);
  const parsed = ts.parseJsonSourceFileConfigFileContent(
    source,
    {
      useCaseSensitiveFileNames: true,
      fileExists: (name) => files.has(name),
      readFile: (name) => files.text(name),
      readDirectory: (folder, extensions, excludes, includes) =>
        filesBelow(files, folder, extensions, excludes, includes),
    },
    parentOf(path),
    undefined,
    path,
  );
  return {
    path,
    options: { ...withPackageTypes(parsed.options), noEmit: true },
    files: parsed.fileNames,
    references: (parsed.projectReferences ?? []).map((reference) =>
      ts.resolveProjectReferencePath(reference),
    ),
    errors: parsed.errors,
  };
}

/** The config for code without one: all of it is one project, with the lenient defaults of an editor. */
export function defaultConfig(files: FileTable, root: string): ProjectConfig {
  return {
    path: null,
    options: withPackageTypes({
      allowJs: true,
      allowImportingTsExtensions: true,
      esModuleInterop: true,
      jsx: ts.JsxEmit.Preserve,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      noEmit: true,
      resolveJsonModule: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ESNext,
    }),
    files: files
      .paths()
      .filter((path) => isOwnCode(path) && !/\/\./.test(path) && nearestConfig(files, path, root) === null),
    references: [],
    errors: [],
  };
}

/** Includes all installed `@types`, as before TypeScript 6, because most projects rely on that. */
function withPackageTypes(options: ts.CompilerOptions): ts.CompilerOptions {
  return options.types ? options : { ...options, types: ['*'] };
}

/** Resolves `include` and `exclude` to files. */
function filesBelow(
  files: FileTable,
  folder: string,
  extensions: readonly string[],
  excludes: readonly string[] | undefined,
  includes: readonly string[],
): string[] {
  const named = (pattern: string) => [absolute(folder, pattern), `${absolute(folder, pattern)}/**`];
  const isIncluded = picomatch(includes.flatMap(named));
  const isExcluded = picomatch((excludes ?? []).flatMap(named), { dot: true });
  const packagesNamed = includes.some((pattern) => PACKAGES.test(`/${pattern}/`));
  return files
    .paths()
    .filter((path) => path.startsWith(`${folder}/`) || includes.some((pattern) => pattern.startsWith('..')))
    .filter((path) => extensions.some((extension) => path.endsWith(extension)))
    .filter((path) => (packagesNamed || !PACKAGES.test(path)) && isIncluded(path) && !isExcluded(path));
}

function absolute(folder: string, pattern: string): string {
  const parts: string[] = [];
  for (const part of (pattern.startsWith('/') ? pattern : `${folder}/${pattern}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
