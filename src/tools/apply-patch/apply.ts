import { FaultError } from '../../base/fault.ts';
import { hashBytes } from '../../base/hash.ts';
import { readContent } from '../change.ts';
import { literal } from '../paths.ts';
import { oneLine, plural } from '../text.ts';
import type { ToolContext, ToolResult } from '../tool.ts';
import { commit } from './commit.ts';
import type { Plan, ShownFile } from './plan.ts';

/** How often changes are retried for files that keep changing. */
const ATTEMPTS = 8;

/** Changes to several files that are applied together. */
export interface Changes {
  /** Computes the changes for the files as they are now. */
  plan(): Promise<Plan>;
  /** The paths that rules are checked for. */
  readonly patterns: readonly string[];
  /** The line above the list of changed files. */
  readonly message: string;
  /** The output where there is nothing to change. */
  readonly unchanged: string;
}

/**
 * Asks permission for the changes with their real diff and applies all of them, or none. The caller must have locked the
 * files. If they still change while the person decides, the changes are computed again, and asked for again if the diff
 * differs.
 */
export async function applyChanges(context: ToolContext, changes: Changes): Promise<ToolResult> {
  let allowed: string | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const plan = await changes.plan();
    const title = titleOf(plan.shown);
    if (plan.shown.length === 0) return { output: changes.unchanged, metadata: { truncated: false } };
    const shown = JSON.stringify(plan.shown);
    if (shown !== allowed) {
      await ask(context, changes.patterns, title, plan);
      allowed = shown;
      if (!(await isCurrent(context, plan))) continue;
    }
    if (!(await commit(context.workspace.files, plan))) continue;
    recordReads(context, plan);
    return {
      title,
      output: [changes.message, ...plan.shown.map(lineOf)].join('\n'),
      metadata: { truncated: false, diff: plan.diff, files: plan.shown },
    };
  }
  throw keepsChanging();
}

export function keepsChanging(): FaultError {
  return new FaultError({
    code: 'keeps-changing',
    what: 'The files kept changing during the edit. Nothing was changed.',
    next: 'Read them again, and find out what else is writing to them.',
  });
}

async function ask(
  context: ToolContext,
  patterns: readonly string[],
  title: string,
  { diff, shown }: Plan,
): Promise<void> {
  // Files that only move, and empty files, do not appear in the diff.
  const without = shown.filter(({ additions, deletions }) => additions + deletions === 0).map(lineOf);
  await context.ask({
    permission: 'edit',
    patterns: [...new Set(patterns)],
    always: literal([...new Set(patterns)]),
    subject: { kind: 'diff', path: [title, ...without].join('\n'), diff },
  });
}

/** Records new contents as read, but only for files that the model had read before the change. */
function recordReads(context: ToolContext, { files, moves }: Plan): void {
  const origins = new Map([...moves].map(([from, to]) => [to, from]));
  for (const [path, { after }] of files) {
    const origin = origins.get(path) ?? path;
    const hash = files.get(origin)?.before.hash ?? null;
    if (after && (hash === null || context.reads.seen(origin) === hash))
      context.reads.record(path, hashBytes(after));
  }
}

/** Whether every file still has the content that the plan was computed from. */
async function isCurrent(context: ToolContext, plan: Plan): Promise<boolean> {
  for (const [path, { before }] of plan.files)
    if ((await readContent(context, path)).hash !== before.hash) return false;
  return true;
}

function titleOf(shown: readonly ShownFile[]): string {
  const [first] = shown;
  return shown.length === 1 && first ? oneLine(first.relativePath) : plural(shown.length, 'file');
}

const LETTERS = { add: 'A', update: 'M', delete: 'D', move: 'R' } as const;

function lineOf({ type, relativePath, movePath }: ShownFile): string {
  const path = oneLine(relativePath);
  return `${LETTERS[type]} ${typeof movePath === 'string' ? `${path} → ${oneLine(movePath)}` : path}`;
}
