/**
 * Packages in native code and what becomes of them in an embedded workspace. The model is told from this list, npm acts on it and
 * names it after an install, and the shell's advice on a missing program comes from it.
 */

/** Packages that have the files of another one after an install, with the same numbers of versions. */
export const IN_WASM: Readonly<Record<string, string>> = {
  esbuild: 'esbuild-wasm',
  lightningcss: 'lightningcss-wasm',
  rollup: '@rollup/wasm-node',
};

/** TypeScript is native code from 7 on. 6 is the last in JavaScript, made to behave as 7 does. */
export const TYPESCRIPT_IN_JAVASCRIPT = '6.0.3';

/** For packages that cannot run and have no such substitute: what does the same here. */
export const INSTEAD: Readonly<Record<string, string>> = {
  '@biomejs/biome': 'eslint and prettier run here',
  '@swc/core': '@swc/wasm does the same in WebAssembly',
  '@typescript/native-preview': 'typescript@6 runs here',
  oxlint: 'eslint runs here',
  'sass-embedded': 'sass does the same in JavaScript',
};

/** The commands of these packages that are called otherwise than the package. */
const COMMANDS_OF: Readonly<Record<string, string>> = {
  '@biomejs/biome': 'biome',
  '@swc/core': 'swc',
  '@typescript/native-preview': 'tsgo',
};

/** The same by the names of the commands. */
export const INSTEAD_OF_COMMAND: ReadonlyMap<string, string> = new Map(
  Object.entries(INSTEAD).map(([name, instead]) => [COMMANDS_OF[name] ?? name, instead]),
);
