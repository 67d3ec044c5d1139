import { idOf } from '../kit/bytes.ts';
import { Fatal } from '../kit/fatal.ts';
import { encodeTree, MODE, type TreeEntry } from '../kit/objects.ts';
import type { Api } from './api.ts';
import { listOf, oidOf, textOf, type Json } from './json.ts';

export interface FileFacts {
  /** Relative to the top. */
  readonly path: string;
  readonly oid: string;
  /** In bytes. */
  readonly size: number;
}

/** A tree with all trees below it, each as its bytes, a folder before what is in it. */
export interface WholeTree {
  readonly files: readonly FileFacts[];
  readonly trees: readonly { readonly oid: string; readonly bytes: Uint8Array }[];
  /** The paths of submodules, whose commits are elsewhere. */
  readonly submodules: readonly string[];
}

interface Listed extends TreeEntry {
  readonly path: string;
  readonly size: number;
}

/** Reads a tree with everything below it. Every tree is made anew from its entries and has to have the id that it is named by. */
export async function readTree(api: Api, oid: string): Promise<WholeTree> {
  const listed = await list(api, oid, '');
  const folders = new Map<string, { readonly oid: string; readonly entries: Listed[] }>([
    ['', { oid, entries: [] }],
  ]);
  for (const entry of listed)
    if (entry.mode === MODE.tree) folders.set(`${entry.path}/`, { oid: entry.oid, entries: [] });
  for (const entry of listed)
    folders.get(entry.path.slice(0, entry.path.length - entry.name.length))?.entries.push(entry);
  const trees = [...folders.values()].map(({ oid: wanted, entries }) => {
    const bytes = encodeTree(entries);
    if (idOf('tree', bytes) !== wanted)
      throw new Fatal(
        `the folder ${wanted} is not what GitHub lists of it, probably because of a file name that is not UTF-8.\nClone the repository elsewhere, and add it with "Add files".`,
      );
    return { oid: wanted, bytes };
  });
  const files = listed.filter(({ mode }) => mode !== MODE.tree && mode !== MODE.submodule);
  const submodules = listed.filter(({ mode }) => mode === MODE.submodule).map(({ path }) => path);
  return { files, trees, submodules };
}

async function list(api: Api, oid: string, prefix: string): Promise<Listed[]> {
  const whole = await api.get(`/git/trees/${oid}?recursive=1`);
  if (whole.truncated !== true) return listOf(whole.tree).map((entry) => listedOf(entry, prefix));
  // Too much for one answer: folder by folder.
  const top = await api.get(`/git/trees/${oid}`);
  const entries = listOf(top.tree).map((entry) => listedOf(entry, prefix));
  if (top.truncated === true)
    throw new Fatal(
      `the folder '${prefix}' has more entries than GitHub lists.\nClone the repository elsewhere, and add the folders that you need with "Add files".`,
    );
  const found: Listed[] = [];
  for (const entry of entries) {
    found.push(entry);
    if (entry.mode === MODE.tree) found.push(...(await list(api, entry.oid, `${entry.path}/`)));
  }
  return found;
}

function listedOf(entry: Json, prefix: string): Listed {
  const path = textOf(entry.path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  // As native git does: nothing may be written into the repository's own folder, or out of the working tree.
  if (/^(\.|\.\.|\.git|git~1|)$/i.test(name) || name.includes('\0') || name.includes('\\'))
    throw new Fatal(`the repository has a file with the forbidden name '${path}', and is not cloned.`);
  return {
    path: `${prefix}${path}`,
    name,
    mode: Number.parseInt(textOf(entry.mode), 8),
    oid: oidOf(entry.sha),
    size: typeof entry.size === 'number' ? entry.size : 0,
  };
}
