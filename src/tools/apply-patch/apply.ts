import { FaultError } from '../../base/fault.ts';
import { hashBytes } from '../../base/hash.ts';
import { presentAt } from '../change.ts';
import { oneLine, plural } from '../text.ts';
import type { ToolContext, ToolResult } from '../tool.ts';
import { commit } from './commit.ts';
import type { Plan, ShownFile } from './plan.ts';

/** Files that keep changing under a call are given up after this many attempts. */
const ATTEMPTS = 8;

/** Changes to several files that are made together. */
export interface Changes {
  /** What they come to on the files as they are now. */
  plan(): Promise<Plan>;
  /** What rules are asked about. */
  readonly patterns: readonly string[];
  /** Stands above the list of the files that were changed. */
  readonly said: string;
  /** The output where there is nothing to change. */
  readonly unchanged: string;
}

/**
 * Asks for the changes with their real diff and makes all of them, or none. Whoever calls holds the locks of the files;
 * where they change all the same while the person thinks, the changes are worked out anew, and asked for again if the
 * diff that was shown is no longer true.
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
      if (!(await isTrue(context, plan))) continue;
    }
    if (!(await commit(context.workspace.files, plan))) continue;
    noteRead(context, plan);
    return {
      title,
      output: [changes.said, ...plan.shown.map(lineOf)].join('\n'),
      metadata: { truncated: false, diff: plan.diff, files: plan.shown },
    };
  }
  throw keepsChanging();
}

export function keepsChanging(): FaultError {
  return new FaultError({
    code: 'keeps-changing',
    what: 'The files kept changing while they were to be changed. Nothing was changed.',
    next: 'Read them again, and find out what else is writing to them.',
  });
}

async function ask(
  context: ToolContext,
  patterns: readonly string[],
  title: string,
  { diff, shown }: Plan,
): Promise<void> {
  // What moves without a change, and empty files, have no lines to show.
  const without = shown.filter(({ additions, deletions }) => additions + deletions === 0).map(lineOf);
  await context.ask({
    permission: 'edit',
    patterns: [...new Set(patterns)],
    always: ['*'],
    subject: { kind: 'diff', path: [title, ...without].join('\n'), diff },
  });
}

/** What the model has not read whole, it has not read whole after its change either. */
function noteRead(context: ToolContext, { files, moves }: Plan): void {
  const origins = new Map([...moves].map(([from, to]) => [to, from]));
  for (const [path, { after }] of files) {
    const origin = origins.get(path) ?? path;
    const hash = files.get(origin)?.before.hash ?? null;
    if (after && (hash === null || context.reads.seen(origin) === hash))
      context.reads.record(path, hashBytes(after));
  }
}

/** Whether every file is still what the plan was worked out from. */
async function isTrue(context: ToolContext, plan: Plan): Promise<boolean> {
  for (const [path, { before }] of plan.files)
    if ((await presentAt(context, path)).hash !== before.hash) return false;
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
