/** Names for code of a language whose files are usually called so. */
const NAMES: Readonly<Record<string, string>> = {
  html: 'index.html',
  css: 'styles.css',
  json: 'data.json',
  docker: 'Dockerfile',
  dockerfile: 'Dockerfile',
  make: 'Makefile',
  makefile: 'Makefile',
  md: 'notes.md',
  markdown: 'notes.md',
  diff: 'changes.patch',
  patch: 'changes.patch',
  sh: 'script.sh',
  bash: 'script.sh',
  shell: 'script.sh',
  console: 'script.sh',
  zsh: 'script.sh',
  sql: 'query.sql',
  yaml: 'config.yml',
  yml: 'config.yml',
  toml: 'config.toml',
  ini: 'config.ini',
};

const ENDINGS: Readonly<Record<string, string>> = {
  javascript: 'js',
  typescript: 'ts',
  python: 'py',
  rust: 'rs',
  ruby: 'rb',
  kotlin: 'kt',
  csharp: 'cs',
  'c++': 'cpp',
  'c#': 'cs',
  golang: 'go',
  plaintext: 'txt',
  text: 'txt',
  '': 'txt',
};

/** Proposes a name for a file with code of this language that is not `taken` yet. */
export function proposedName(language: string, taken: (name: string) => boolean): string {
  const kind = language.toLowerCase();
  const known = Object.hasOwn(NAMES, kind) ? NAMES[kind] : undefined;
  const ending = Object.hasOwn(ENDINGS, kind) ? ENDINGS[kind] : kind;
  const name = known ?? `code.${/^[a-z0-9]{1,10}$/.test(ending ?? '') ? ending : 'txt'}`;
  if (!taken(name)) return name;
  const dot = name.lastIndexOf('.');
  const [stem, rest] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)];
  for (let n = 2; ; n++) if (!taken(`${stem}-${n}${rest}`)) return `${stem}-${n}${rest}`;
}

/**
 * The path relative to the workspace's root that a person meant; `null` if it would leave the workspace or names
 * no file.
 */
export function typedPath(text: string): string | null {
  const path = text.trim().replace(/^(?:\.\/)+/, '');
  const parts = path.split('/');
  const bad = path === '' || path.includes('\0') || parts.some((part) => ['', '.', '..'].includes(part));
  return bad ? null : path;
}
