import { messageOf } from '../../base/message-of.ts';
import { hashText } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Grant } from '../../config/grants.ts';
import { isInside } from '../../protocol/paths.ts';
import type { Entry, LoadProblem, ModuleText } from '../../protocol/custom-tools.ts';

/** Reads code. Paths are absolute. */
export interface Sources {
  /** Resolves to `null` where there is no file. */
  read(path: string): Promise<string | null>;
  /** The names of a folder's direct entries; empty where there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
}

/** A plugin that the configuration names. */
export interface NamedPlugin {
  /** The absolute path of a file or folder. */
  readonly path: string;
  readonly options?: JsonObject;
}

/** The custom tools and plugins of a folder, with all of their modules. */
export interface Code {
  readonly entries: readonly Entry[];
  /** Sorted so that each module comes after those it requires. */
  readonly modules: readonly ModuleText[];
  readonly problems: readonly LoadProblem[];
  /** Every module with the start of its hash: this is the list that the person is asked to trust. */
  readonly grants: readonly Grant[];
}

const FOLDERS = ['tool', 'tools'];
const PLUGIN_FOLDERS = ['plugin', 'plugins'];
const CODE = /\.(?:ts|js|mjs|cjs|mts|cts)$/;
const PROVIDED = /^(?:node:|bun$|zod(?:\/|$)|@opencode-ai\/plugin(?:\/|$))/;
const MAX_MODULES = 300;
/** The limit for all modules together, in characters. */
const MAX_CHARACTERS = 4_000_000;

/** Reads the code in `folder` (the absolute path of a workspace's `.opencode`) with everything that it imports. */
export async function codeIn(
  from: Sources,
  folder: string,
  root: string,
  plugins: readonly NamedPlugin[] = [],
): Promise<Code> {
  const sources = readOnce(from);
  const entries = [...(await entriesIn(sources, folder)), ...(await pluginEntries(sources, plugins))];
  const problems: LoadProblem[] = [];
  const modules = await modulesOf(sources, entries, root, problems);
  return {
    entries,
    modules,
    problems,
    grants: modules.map(({ path, text }) => ({
      file: relativeTo(root, path),
      kind: 'code',
      what: `${relativeTo(root, path)} (${hashText(text).slice(0, 12)})`,
    })),
  };
}

/** Caches reads, as resolving a module already reads it. A file that cannot be read counts as missing. */
function readOnce(sources: Sources): Sources {
  const known = new Map<string, Promise<string | null>>();
  return {
    read(path) {
      const text = known.get(path) ?? sources.read(path).catch(() => null);
      known.set(path, text);
      return text;
    },
    list: (folder) => sources.list(folder),
  };
}

async function entriesIn(sources: Sources, folder: string): Promise<Entry[]> {
  const top = await sources.list(folder);
  const entries: Entry[] = [];
  const addAll = async (place: string, role: Entry['role']) => {
    if (!top.includes(place)) return;
    for (const name of await sources.list(`${folder}/${place}`))
      if (CODE.test(name) && !name.endsWith('.d.ts'))
        entries.push({ path: `${folder}/${place}/${name}`, role, name: name.replace(CODE, '') });
  };
  for (const place of FOLDERS) {
    for (const name of top.filter((each) => CODE.test(each) && each.replace(CODE, '') === place))
      entries.push({ path: `${folder}/${name}`, role: 'tool', name: place });
    await addAll(place, 'tool');
  }
  for (const place of PLUGIN_FOLDERS) await addAll(place, 'plugin');
  return entries;
}

async function pluginEntries(sources: Sources, plugins: readonly NamedPlugin[]): Promise<Entry[]> {
  const entries = plugins.map(async ({ path, options }): Promise<Entry> => {
    const found = await resolve(sources, path);
    const name = (found ?? path).split('/').at(-1)?.replace(CODE, '') ?? '';
    return { path: found ?? path, role: 'plugin', name, ...(options && { options }) };
  });
  return Promise.all(entries);
}

/** Follows relative and absolute imports. Imports by name come from the host or from a package. */
async function modulesOf(
  sources: Sources,
  entries: readonly Entry[],
  root: string,
  problems: LoadProblem[],
): Promise<ModuleText[]> {
  const modules: ModuleText[] = [];
  const seen = new Set<string>();
  let characters = 0;

  async function add(path: string): Promise<void> {
    if (seen.has(path)) return;
    seen.add(path);
    const source = isInside(path, root) ? await sources.read(path) : null;
    if (source === null) return void problems.push({ path, message: 'There is no such file.' });
    characters += source.length;
    if (seen.size > MAX_MODULES || characters > MAX_CHARACTERS)
      return void problems.push({ path, message: 'Too much code.' });
    if (path.endsWith('.json')) return void modules.push({ path, kind: 'json', text: source, requires: {} });
    const { commonJs, requiredBy } = await import('./common-js.ts');
    let text: string;
    try {
      text = commonJs(path, source);
    } catch (error) {
      return void problems.push({ path, message: messageOf(error) });
    }
    const requires: Record<string, string | null> = {};
    for (const name of requiredBy(text)) {
      const target = name.startsWith('.') || name.startsWith('/') ? absolute(path, name) : null;
      const found = target === null ? null : await resolve(sources, target);
      requires[name] = found ?? target;
      if (found !== null) await add(found);
      else if (target !== null) problems.push({ path, message: `Cannot find module '${name}'` });
      else if (!PROVIDED.test(name)) await addPackage(path, name);
    }
    modules.push({ path, kind: 'code', text, requires });
  }

  /** Adds the package.json, because packages are trusted by their name and version. */
  async function addPackage(from: string, name: string): Promise<void> {
    const parts = name.split('/');
    const bare = parts.slice(0, name.startsWith('@') ? 2 : 1).join('/');
    for (let folder = from; isInside(folder, root) && folder !== root;) {
      folder = folder.slice(0, folder.lastIndexOf('/'));
      const path = `${folder}/node_modules/${bare}/package.json`;
      if (seen.has(path)) return;
      const text = await sources.read(path);
      if (text === null) continue;
      seen.add(path);
      modules.push({ path, kind: 'json', text, requires: {} });
      return;
    }
  }

  for (const { path } of entries) await add(path);
  return modules;
}

const EXTENSIONS = ['.ts', '.js', '.mjs', '.cjs', '.mts', '.cts', '.json'];

/** Resolves as Node and TypeScript do: without an extension, with `.js` for `.ts`, and to a folder's index. */
async function resolve(sources: Sources, path: string): Promise<string | null> {
  const candidates = [
    path,
    ...EXTENSIONS.map((extension) => path + extension),
    path.replace(/\.(m|c)?js$/, '.$1ts'),
    ...EXTENSIONS.map((extension) => `${path}/index${extension}`),
  ].filter((candidate) => /\.(?:json|[mc]?[jt]s)$/.test(candidate));
  for (const candidate of new Set(candidates)) {
    if ((await sources.read(candidate)) !== null) return candidate;
  }
  return null;
}

function absolute(from: string, name: string): string {
  if (name.startsWith('/')) return name;
  const parts = from.split('/').slice(0, -1);
  for (const part of name.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

function relativeTo(root: string, path: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
