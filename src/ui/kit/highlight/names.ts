/** The language for {@link highlight} by a file's name; empty if none is known. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (name === 'dockerfile') return 'docker';
  if (/^\.?(bashrc|profile|bash_profile)$/.test(name)) return 'bash';
  return name.includes('.') ? (languageID(name.slice(name.lastIndexOf('.') + 1)) ?? '') : '';
}

const ALIASES: Readonly<Record<string, string>> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  javascript: 'javascript',
  jsx: 'jsx',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  typescript: 'typescript',
  tsx: 'tsx',
  json: 'json',
  jsonc: 'jsonc',
  sh: 'bash',
  bash: 'bash',
  zsh: 'bash',
  shell: 'bash',
  console: 'bash',
  py: 'python',
  python: 'python',
  html: 'html',
  htm: 'html',
  svg: 'xml',
  xml: 'xml',
  css: 'css',
  scss: 'scss',
  md: 'markdown',
  markdown: 'markdown',
  svelte: 'svelte',
  vue: 'vue',
  rs: 'rust',
  rust: 'rust',
  go: 'go',
  java: 'java',
  kt: 'kotlin',
  kotlin: 'kotlin',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  hpp: 'cpp',
  'c++': 'cpp',
  cs: 'csharp',
  csharp: 'csharp',
  rb: 'ruby',
  ruby: 'ruby',
  php: 'php',
  swift: 'swift',
  sql: 'sql',
  yml: 'yaml',
  yaml: 'yaml',
  toml: 'toml',
  ini: 'ini',
  diff: 'diff',
  patch: 'diff',
  docker: 'docker',
  dockerfile: 'docker',
  makefile: 'make',
  make: 'make',
  awk: 'awk',
  lua: 'lua',
};

/** The language with this name or file ending, as the highlighter calls it. */
export function languageID(name: string): string | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(ALIASES, key) ? ALIASES[key] : undefined;
}
