import type { Packages } from '../packages.ts';
import type { ModuleRecord } from './record.ts';
import { pathOr } from './urls.ts';

/** Adds node's explanation to errors about names that only scripts have, such as `require`. */
export function explainScope(error: unknown, { url, isAsync }: ModuleRecord, packages: Packages): void {
  if (!(error instanceof ReferenceError)) return;
  const name = /^(require|module|exports|__filename|__dirname) is not defined$/.exec(error.message)?.[1];
  if (name === undefined) return;
  const before = error.message;
  if (isAsync) {
    error.message =
      'Cannot determine intended module format because both require() and top-level await are present. If the code is intended to be CommonJS, wrap await in an async function. If the code is intended to be an ES module, replace require() with import.';
    Object.assign(error, { code: 'ERR_AMBIGUOUS_MODULE_SYNTAX' });
  } else {
    error.message += ` in ES module scope${name === 'require' ? ', you can use import instead' : ''}`;
    const scope = /^file:.*\.js(?:\?[^#]*)?(?:#.*)?$/.test(url) ? packages.scopeOf(pathOr(url)) : undefined;
    if (scope?.type === 'module')
      error.message += `\nThis file is being treated as an ES module because it has a '.js' file extension and '${scope.path}' contains "type": "module". To treat it as a CommonJS script, rename it to use the '.cjs' file extension.`;
  }
  const { message, stack } = error;
  Object.defineProperty(error, 'stack', {
    value: stack?.includes(message) ? stack : stack?.replace(before, () => message),
    configurable: true,
    writable: true,
  });
}
