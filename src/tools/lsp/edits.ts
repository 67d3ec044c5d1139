import type { TextEdit, WorkspaceEdit } from '../../language/language.ts';
import { FaultError } from '../../base/fault.ts';
import { applyChanges, keepsChanging } from '../apply-patch/apply.ts';
import type { Plan, ShownFile } from '../apply-patch/plan.ts';
import { askForHidden, editableText, presentAt, type Present } from '../change.ts';
import { diffOf } from '../diff.ts';
import { relativeToRoot } from '../places.ts';
import type { ToolContext, ToolResult } from '../tool.ts';

/** How often an edit is asked for anew because its files are no longer what it was worked out on. */
const ATTEMPTS = 5;

/**
 * Makes the changes that `edit` comes to: in all files or in none, after asking with their diff. They are worked out on
 * the files as they are, so nothing needs to have been read before.
 */
export async function makeEdit(
  context: ToolContext,
  said: string,
  edit: () => Promise<WorkspaceEdit>,
): Promise<ToolResult> {
  const paths = (await edit()).files.map(({ path }) => path).toSorted();
  await askForHidden(context, paths.map(relativeToRoot));
  const releases: (() => void)[] = [];
  try {
    // In one order for all, so that two calls never wait for each other.
    for (const path of paths) releases.push(await context.lock(path));
    return await applyChanges(context, {
      plan: () => planOf(context, paths, edit),
      patterns: paths.map(relativeToRoot),
      said,
      unchanged: 'Nothing had to be changed.',
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
    // Other files now: they are not held, and were not asked for.
    if (files.some(({ path }) => !locked.includes(path))) break;
    const plan = await planned(context, files);
    if (plan) return plan;
  }
  throw keepsChanging();
}

/** `undefined` where a file is not what the edit was worked out on. */
async function planned(context: ToolContext, edited: WorkspaceEdit['files']): Promise<Plan | undefined> {
  const files = new Map<string, { before: Present; after: Uint8Array }>();
  const shown: ShownFile[] = [];
  for (const { path, hash, edits } of edited.toSorted(byPath)) {
    const title = relativeToRoot(path);
    const before = await presentAt(context, path);
    if (hash === null && before.hash !== null) throw taken(title);
    if (before.hash !== hash) return undefined;
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

/** The text with the edits made; a line ends where the language says so. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  const starts = [0];
  for (const { index, 0: ending } of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g))
    starts.push(index + ending.length);
  const offset = ({ line, character }: TextEdit['range']['start']) =>
    (starts[line] ?? text.length) + character;
  let made = '';
  let at = 0;
  for (const { range, newText } of edits) {
    made += text.slice(at, offset(range.start)) + newText;
    at = offset(range.end);
  }
  return made + text.slice(at);
}

function taken(title: string): FaultError {
  return new FaultError({
    code: 'target-exists',
    what: `${title}, which would be made, exists already. Nothing was changed.`,
  });
}
