import type { Plugin } from 'prettier';

/** Each is fetched with the first file that needs it. */
const babel = () => import('prettier/plugins/babel');
const estree = () => import('prettier/plugins/estree');
const html = () => import('prettier/plugins/html');
const markdown = () => import('prettier/plugins/markdown');
const postcss = () => import('prettier/plugins/postcss');
const typescript = () => import('prettier/plugins/typescript');
const yaml = () => import('prettier/plugins/yaml');

type Loader = () => Promise<Plugin | { readonly default: Plugin }>;

const script: readonly Loader[] = [babel, estree, postcss, html];
const typed: readonly Loader[] = [typescript, estree, postcss, html];
const page: readonly Loader[] = [html, postcss, babel, typescript, estree];
const prose: readonly Loader[] = [markdown, babel, typescript, estree, postcss, html, yaml];
const data: readonly Loader[] = [babel, estree];

/** The plugins that each parser of Prettier needs, also for languages embedded in its texts. */
const LOADERS: Readonly<Record<string, readonly Loader[]>> = {
  babel: script,
  'babel-flow': script,
  'babel-ts': script,
  typescript: typed,
  json: data,
  json5: data,
  jsonc: data,
  'json-stringify': data,
  css: [postcss],
  less: [postcss],
  scss: [postcss],
  html: page,
  vue: page,
  angular: page,
  markdown: prose,
  mdx: prose,
  yaml: [yaml],
};

/** The plugins for a parser; undefined if there is no such parser here. */
export async function pluginsFor(parser: string): Promise<Plugin[] | undefined> {
  const loaders = Object.hasOwn(LOADERS, parser) ? LOADERS[parser] : undefined;
  if (!loaders) return undefined;
  const loaded = await Promise.all(loaders.map((load) => load()));
  return loaded.map((module) => ('default' in module ? module.default : module));
}
