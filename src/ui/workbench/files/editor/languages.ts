import type { Extension } from '@codemirror/state';

/** Each language is fetched when the first file in it is opened. */
const javascript = async (options: { readonly typescript?: boolean; readonly jsx?: boolean }) =>
  (await import('@codemirror/lang-javascript')).javascript(options);
const json = async () => (await import('@codemirror/lang-json')).json();
const html = async () => (await import('@codemirror/lang-html')).html();
const css = async () => (await import('@codemirror/lang-css')).css();
const markdown = async () => (await import('@codemirror/lang-markdown')).markdown();

const LOADERS: ReadonlyMap<string, () => Promise<Extension>> = new Map([
  ...['js', 'mjs', 'cjs', 'jsx'].map((ending) => [ending, () => javascript({ jsx: true })] as const),
  ...['ts', 'mts', 'cts'].map((ending) => [ending, () => javascript({ typescript: true })] as const),
  ['tsx', () => javascript({ typescript: true, jsx: true })],
  ['json', json],
  ['jsonc', json],
  ['html', html],
  ['htm', html],
  ['css', css],
  ['md', markdown],
  ['markdown', markdown],
]);

/** The language of a file by its name; undefined if the editor has none for it. */
export function loaderOf(path: string): (() => Promise<Extension>) | undefined {
  return LOADERS.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}
