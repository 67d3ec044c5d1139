import workerURL from './highlight/worker.ts?worker&url';
import type { HighlightRequest, HighlightResponse, Line } from './highlight/protocol.ts';
import { startWorker } from '../worker.ts';

export type { Line, Span, SpanKind } from './highlight/protocol.ts';

/** The number of characters above which a text stays plain, since colouring it would take seconds. */
const LONGEST = 200_000;

let worker: Worker | null = null;
let lastID = 0;
const waiting = new Map<number, (lines: readonly Line[] | null) => void>();

/**
 * Splits `code` into lines of coloured spans, whose texts joined with newlines are `code`. Resolves to `null`
 * if the language is not known or the text is too long. Each span's kind has a class `hl-<kind>` in the
 * page's styles.
 */
export function highlight(code: string, language: string): Promise<readonly Line[] | null> {
  const known = languageID(language);
  if (!known || code.length > LONGEST) return Promise.resolve(null);
  worker ??= start();
  const id = ++lastID;
  const request: HighlightRequest = { id, code, language: known };
  worker.postMessage(request);
  return new Promise((resolve) => waiting.set(id, resolve));
}

/** The language for {@link highlight} by a file's name; empty if none is known. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (name === 'dockerfile') return 'docker';
  if (/^\.?(bashrc|profile|bash_profile)$/.test(name)) return 'bash';
  return name.includes('.') ? (languageID(name.slice(name.lastIndexOf('.') + 1)) ?? '') : '';
}

function start(): Worker {
  const started = startWorker(workerURL, 'highlight');
  started.onmessage = ({ data }: MessageEvent<HighlightResponse>) => {
    waiting.get(data.id)?.(data.lines);
    waiting.delete(data.id);
  };
  // If the worker fails, the text stays plain.
  started.onerror = () => {
    for (const resolve of waiting.values()) resolve(null);
    waiting.clear();
    worker = null;
    started.terminate();
  };
  return started;
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

function languageID(name: string): string | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(ALIASES, key) ? ALIASES[key] : undefined;
}
