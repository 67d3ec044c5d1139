import { nodeError } from '../../builtins/internal/errors.ts';
import type { LoaderFiles } from '../files.ts';
import { withoutBom } from '../json.ts';
import type { Packages } from '../packages.ts';
import type { Resolved } from '../resolve.ts';
import { isModuleSyntax } from '../syntax-errors.ts';
import { asIs, refuseInPackages, type JavaScriptText, type TypeScript } from '../typescript.ts';

export interface FormatsContext {
  readonly files: LoaderFiles;
  readonly packages: Packages;
  readonly typescript: TypeScript;
}

/** Tells the formats of files from their names, their packages and their syntax. */
export class ModuleFormats {
  readonly #context: FormatsContext;

  constructor(context: FormatsContext) {
    this.#context = context;
  }

  /** The format as far as a name and a package say it. */
  of(resolved: Resolved): string | undefined {
    if (resolved.kind !== 'file') return resolved.kind === 'builtin' ? 'builtin' : undefined;
    const extension = extensionOf(resolved.path);
    if (extension === '.json') return 'json';
    if (/^\.m[jt]s$/.test(extension)) return extension === '.mjs' ? 'module' : 'module-typescript';
    if (/^\.c[jt]s$/.test(extension)) return extension === '.cjs' ? 'commonjs' : 'commonjs-typescript';
    const type = this.#context.packages.scopeOf(resolved.path)?.type;
    return type === 'module' || type === 'commonjs' ? type : undefined;
  }

  /** The format of a script, from its syntax. Undefined for a file with another extension. */
  bySyntax(path: string): 'module' | 'commonjs' | undefined {
    if (!/\.js$|\/[^./]*$/.test(path) && !this.#context.typescript.isFor(path)) return undefined;
    return looksLikeModule(this.read(path, path).text) ? 'module' : 'commonjs';
  }

  /** Reads a file as JavaScript. Errors show `name`, which is a path or a URL. */
  read(path: string, name: string): JavaScriptText {
    const { files, typescript } = this.#context;
    const text = withoutBom(files.readText(path));
    if (!typescript.isFor(path)) return asIs(text);
    refuseInPackages(name);
    return typescript.read(text, name);
  }
}

export function extensionOf(path: string): string {
  return /\.[^./]*$/.exec(path)?.[0] ?? '';
}

export function looksLikeModule(text: string): boolean {
  if (!/\b(?:import|export|await)\b/.test(text)) return false;
  try {
    (0, eval)(
      `(function (exports, require, module, __filename, __dirname) {${text.replace(/^#!/, '//')}\n})`,
    );
    return false;
  } catch (error) {
    return isModuleSyntax(error, text);
  }
}

export function unknownExtension(path: string): Error {
  return nodeError(
    'ERR_UNKNOWN_FILE_EXTENSION',
    `Unknown file extension "${extensionOf(path)}" for ${path}`,
    TypeError,
  );
}

/** The error for a format that a hook gave. */
export function unknownFormat(format: unknown, url: string): Error {
  return nodeError(
    'ERR_UNKNOWN_MODULE_FORMAT',
    `Unknown module format: ${String(format)} for URL ${url}`,
    RangeError,
  );
}
