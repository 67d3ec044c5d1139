/** Prettier's files of settings in the order in which it looks for them in a folder. */
export const PRETTIER_FILES: readonly string[] = [
  'package.json',
  '.prettierrc',
  '.prettierrc.json',
  '.prettierrc.yaml',
  '.prettierrc.yml',
  '.prettierrc.json5',
  ...['.js', '.ts', '.mjs', '.mts', '.cjs', '.cts'].flatMap((ending) => [
    `.prettierrc${ending}`,
    `prettier.config${ending}`,
  ]),
  '.prettierrc.toml',
];

export const EDITOR_FILE = '.editorconfig';
export const IGNORE_FILE = '.prettierignore';

/** The names of all files that decide how a text is formatted. */
export const SETTINGS_FILES: ReadonlySet<string> = new Set([...PRETTIER_FILES, EDITOR_FILE, IGNORE_FILE]);

/** The endings of the files that can be formatted, with Prettier's name of their parser. */
const PARSERS: Readonly<Record<string, string>> = {
  js: 'babel',
  mjs: 'babel',
  cjs: 'babel',
  jsx: 'babel',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescript',
  json: 'json',
  jsonc: 'jsonc',
  css: 'css',
  scss: 'scss',
  less: 'less',
  html: 'html',
  htm: 'html',
  vue: 'vue',
  md: 'markdown',
  markdown: 'markdown',
  yaml: 'yaml',
  yml: 'yaml',
};

/** Prettier's name of the parser for a file with this name; undefined if it has none. */
export function parserOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (name === 'package.json' || name === 'package-lock.json') return 'json-stringify';
  if (name === '.prettierrc') return 'json';
  const ending = name.slice(name.lastIndexOf('.') + 1);
  return name.includes('.') && Object.hasOwn(PARSERS, ending) ? PARSERS[ending] : undefined;
}
