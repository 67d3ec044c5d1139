import { nodeError } from '../builtins/internal/errors.ts';

const CYCLE_ADVICE =
  ' A cycle involving require(esm) is not allowed to maintain invariants mandated by the ECMAScript specification. Try making at least part of the dependency in the graph lazily loaded.';

export function requireCycle(path: string, from: string | undefined, more = CYCLE_ADVICE): Error {
  return nodeError(
    'ERR_REQUIRE_CYCLE_MODULE',
    `Cannot require() ES Module ${path} in a cycle.${from === undefined ? '' : ` (from ${from})`}${more}`,
  );
}

/** The error for a required ECMAScript module under `--no-experimental-require-module`. */
export function requireOfModule(
  path: string,
  from: string | undefined,
  packagePath: string | undefined,
): Error {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const why = path.endsWith('.mjs')
    ? `\nInstead change the require of ${path} to a dynamic import() which is available in all CommonJS modules.`
    : packagePath === undefined
      ? `\nInstead change the require of ${name} in ${from} to a dynamic import() which is available in all CommonJS modules.`
      : `\n${name} is treated as an ES module file as it is a .js file whose nearest parent package.json contains "type": "module" which declares all .js files in that package scope as ES modules.\nInstead either rename ${name} to end in .cjs, change the requiring code to use dynamic import() which is available in all CommonJS modules, or change "type": "module" to "type": "commonjs" in ${packagePath} to treat all .js files as CommonJS (using .mjs for all ES modules instead).\n`;
  return nodeError(
    'ERR_REQUIRE_ESM',
    `require() of ES Module ${path}${from === undefined ? '' : ` from ${from}`} not supported.${why}`,
  );
}

/** The error for a request that no file answers. `stack` are the modules that led to it. */
export function requireNotFound(request: string, requireStack: readonly string[]): Error {
  const trail = requireStack.length > 0 ? `\nRequire stack:\n- ${requireStack.join('\n- ')}` : '';
  const error = new Error(`Cannot find module '${request}'${trail}`);
  return Object.assign(error, { code: 'MODULE_NOT_FOUND', requireStack });
}
