import type { JsonObject } from '../base/json.ts';
import { applyPatchManifest } from './apply-patch/manifest.ts';
import { bashManifest } from './bash/manifest.ts';
import { batchManifest } from './batch/manifest.ts';
import { codesearchManifest } from './codesearch/manifest.ts';
import { editManifest } from './edit/manifest.ts';
import { globManifest } from './glob/manifest.ts';
import { grepManifest } from './grep/manifest.ts';
import { listManifest } from './list/manifest.ts';
import { lspManifest } from './lsp/manifest.ts';
import type { Manifest } from './manifest.ts';
import { planEnterManifest, planExitManifest } from './plan/manifest.ts';
import { previewManifest } from './preview/manifest.ts';
import { questionManifest } from './question/manifest.ts';
import { readManifest } from './read/manifest.ts';
import { skillManifest } from './skill/manifest.ts';
import { backgroundManifest, cancelManifest, outputManifest, startManifest } from './task/manifest.ts';
import { todoreadManifest, todowriteManifest } from './todo/manifest.ts';
import { webfetchManifest } from './webfetch/manifest.ts';
import { websearchManifest } from './websearch/manifest.ts';
import { writeManifest } from './write/manifest.ts';

/** The manifests of all tools of the app. cards.ts lists their cards and builtin.ts their code. */
export const manifests: readonly Manifest[] = [
  bashManifest,
  readManifest,
  globManifest,
  grepManifest,
  listManifest,
  editManifest,
  writeManifest,
  applyPatchManifest,
  todowriteManifest,
  todoreadManifest,
  questionManifest,
  batchManifest,
  skillManifest,
  webfetchManifest,
  websearchManifest,
  codesearchManifest,
  lspManifest,
  previewManifest,
  startManifest,
  backgroundManifest,
  outputManifest,
  cancelManifest,
  planEnterManifest,
  planExitManifest,
];

const byID = new Map(manifests.map((manifest) => [manifest.id, manifest]));

/** Small models get few of the app's own tools. Tools that the person added are for every model. */
export function isForSmallModels(id: string): boolean {
  return !byID.has(id) || /^(bash|edit|read|write)$/.test(id);
}

/** Each other name of a tool, in lower case, with its tool and the arguments that the name implies. */
export const aliases: ReadonlyMap<string, { readonly id: string; readonly args: JsonObject }> = new Map(
  manifests.flatMap(({ id, aliases = {} }) =>
    Object.entries(aliases).map(([name, args]) => [name, { id, args }] as const),
  ),
);

/** The arguments of a call by that name, with those that the name implies. */
export function argumentsOf(name: string, input: JsonObject): JsonObject {
  return { ...input, ...aliases.get(name.toLowerCase())?.args };
}

/** The manifest for a name that a model wrote; `undefined` for a tool that is not the app's own. */
export function manifestOf(name: string): Manifest | undefined {
  return byID.get(name) ?? byID.get(aliases.get(name.toLowerCase())?.id ?? '');
}
