import type { WorkspaceEdit } from '../../language/language.ts';
import { withEdits } from './with-edits.ts';
import { FaultError } from '../../base/fault.ts';
import { applyChanges, keepsChanging } from '../apply-patch/apply.ts';
import type { Plan, ShownFile } from '../apply-patch/plan.ts';
import { askForHidden, editableText, assertWritable, readContent, type FileContent } from '../change.ts';
import { diffOf } from '../diff.ts';
import { relativeToRoot } from '../paths.ts';
import type { ToolContext, ToolResult } from '../tool.ts';

/** How often an edit is requested again because its files have changed. */
const ATTEMPTS = 5;

/**
 * Applies the changes of `edit` to all files or to none, after asking with their diff. They are computed from the
 * current files, so the files need not have been read before.
 */
export async function makeEdit(
  context: ToolContext,
  message: string,
  edit: () => Promise<WorkspaceEdit>,
): Promise<ToolResult> {
  const paths = (await edit()).files.map(({ path }) => path).toSorted();
  await askForHidden(context, paths.map(relativeToRoot));
  const releases: (() => void)[] = [];
  try {
    // Locked in sorted order, so that two calls never wait for each other.
    for (const path of paths) releases.push(await context.lock(path));
    return await applyChanges(context, {
      plan: () => planOf(context, paths, edit),
      patterns: paths.map(relativeToRoot),
      message,
      unchanged: 'Nothing needed to change.',
    });
  } finally {
    for (const release of releases) release();
  }
}

async function planOf(
  context: ToolContext,
  locked: readonly string[],
  edit: () => Promise<WorkspaceEdit>,
): Promise<Plan> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { files } = await edit();
    // The edit now touches other files, which are neither locked nor allowed.
    if (files.some(({ path }) => !locked.includes(path))) break;
    const plan = await computePlan(context, files);
    if (plan) return plan;
  }
  throw keepsChanging();
}

/** Returns `undefined` where a file has changed since the edit was computed. */
async function computePlan(context: ToolContext, edited: WorkspaceEdit['files']): Promise<Plan | undefined> {
  const files = new Map<string, { before: FileContent; after: Uint8Array }>();
  const shown: ShownFile[] = [];
  for (const { path, hash, edits } of edited.toSorted(byPath)) {
    const title = relativeToRoot(path);
    const before = await readContent(context, path);
    if (hash === null && before.hash !== null) throw targetExists(title);
    if (before.hash !== hash) return undefined;
    assertWritable(before, title);
    const old = before.bytes && editableText(before.bytes, title);
    const text = withEdits(old ?? '', edits);
    const { patch, additions, deletions } = await diffOf(title, old, text);
    if (text === old) continue;
    files.set(path, { before, after: new TextEncoder().encode(text) });
    const type = old === null ? 'add' : 'update';
    shown.push({ filePath: path, relativePath: title, type, patch, additions, deletions });
  }
  return { files, moves: new Map(), diff: shown.map(({ patch }) => patch).join(''), shown };
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}

function targetExists(title: string): FaultError {
  return new FaultError({
    code: 'target-exists',
    what: `${title} would be created, but already exists. Nothing was changed.`,
  });
}
