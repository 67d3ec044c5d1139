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

const SCRIPTS = 'npm run --workspaces runs a script of every package';
const SQLITE = 'sql.js is SQLite in WebAssembly';

/** For packages that cannot run and have no such substitute: what does the same here. */
export const INSTEAD: Readonly<Record<string, string>> = {
  '@biomejs/biome': 'eslint and prettier run here',
  '@parcel/rust': 'vite, rspack and webpack run here',
  '@swc/core': '@swc/wasm does the same in WebAssembly',
  '@typescript/native-preview': 'typescript@6 runs here',
  argon2: 'hash-wasm has it in WebAssembly',
  bcrypt: 'bcryptjs does the same in JavaScript',
  'better-sqlite3': SQLITE,
  bun: 'node runs TypeScript, and npm installs packages',
  canvas: 'sharp runs here',
  deno: 'node runs TypeScript',
  libsql: SQLITE,
  'node-sass': 'sass does the same in JavaScript',
  nx: SCRIPTS,
  oxlint: 'eslint runs here',
  'sass-embedded': 'sass does the same in JavaScript',
  sqlite3: SQLITE,
  turbo: SCRIPTS,
};

/**
 * These packages compile or fetch their native code when they are installed. Their manifests name no packages for single systems, by
 * which the others are found.
 */
export const ADDONS: ReadonlySet<string> = new Set(
  'argon2 bcrypt better-sqlite3 canvas node-sass sqlite3'.split(' '),
);

/** Packages that start a browser of their own. */
export const BROWSERS: ReadonlySet<string> = new Set(['cypress', 'puppeteer']);

/** Commands that run, but for a part in native code. */
export const PARTLY: ReadonlyMap<string, string> = new Map([
  [
    'prisma',
    'The schema engine of Prisma is native code, which cannot run here: generate, validate and format do without it, migrate and db do not',
  ],
]);

/** The commands of these packages that are called otherwise than the package. */
const COMMANDS_OF: Readonly<Record<string, string>> = {
  '@biomejs/biome': 'biome',
  '@parcel/rust': 'parcel',
  '@swc/core': 'swc',
  '@typescript/native-preview': 'tsgo',
};

/** The same by the names of the commands. */
export const INSTEAD_OF_COMMAND: ReadonlyMap<string, string> = new Map(
  Object.entries(INSTEAD).map(([name, instead]) => [COMMANDS_OF[name] ?? name, instead]),
);
