import * as z from 'zod';
import { FaultError } from '../../base/fault.ts';
import { hashBytes } from '../../base/hash.ts';
import { askForHidden, presentAt } from '../change.ts';
import { oneLine, plural } from '../text.ts';
import type { ToolContext, ToolDefinition, ToolResult } from '../tool.ts';
import { commit } from './commit.ts';
import { parsePatch } from './parse.ts';
import { placed, planOf, type PlacedChange, type Plan, type ShownFile } from './plan.ts';

/** Files that keep changing under a call are given up after this many attempts. */
const ATTEMPTS = 8;

const parameters = z.object({
  patchText: z.string().min(1).describe('The whole patch, from "*** Begin Patch" to "*** End Patch"'),
});

export const applyPatch: ToolDefinition<typeof parameters> = {
  description: [
    'Changes files with one patch: all of them, or none where one does not fit. Paths are relative to the workspace root.',
    '*** Begin Patch',
    '*** Add File: path       then every line of the new file with "+" in front',
    '*** Delete File: path    nothing follows',
    '*** Update File: path    then, where it moves, "*** Move to: path", then chunks:',
    '@@ line before           optional: a line that stands above the change, such as a function’s head',
    ' kept line',
    '-removed line',
    '+added line',
    '*** End of File          optional: the chunk’s lines are the last of the file',
    '*** End Patch',
    'Give three kept lines around each change, exactly as they stand in the file. Chunks follow in the file’s order.',
  ].join('\n'),
  parameters,
  asksFirst: true,
  async execute({ patchText }, context): Promise<ToolResult> {
    const changes = await placed(context, parsePatch(patchText));
    await askToRead(context, changes);
    const releases: (() => void)[] = [];
    try {
      // In one order for all, so that two patches never wait for each other.
      for (const path of pathsOf(changes).toSorted()) releases.push(await context.lock(path));
      return await apply(context, changes);
    } finally {
      for (const release of releases) release();
    }
  },
};

/**
 * Which lines fit tells what stands in a file, and moved elsewhere it could be read there; whether one can be made or
 * removed tells whether it is there.
 */
function askToRead(context: ToolContext, changes: readonly PlacedChange[]): Promise<void> {
  const unseen = ({ path, patterns }: PlacedChange['place']) =>
    context.reads.seen(path) === undefined ? patterns : [];
  const named = changes.flatMap(({ change, place, target }) => [
    ...(change.kind === 'update' ? place.patterns : unseen(place)),
    ...(target ? unseen(target) : []),
  ]);
  return askForHidden(context, named);
}

async function apply(context: ToolContext, changes: readonly PlacedChange[]): Promise<ToolResult> {
  let allowed: string | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const plan = await planOf(context, changes);
    const title = titleOf(plan.shown);
    if (plan.shown.length === 0) {
      return {
        output: 'The files already read as the patch says; nothing had to be changed.',
        metadata: { truncated: false },
      };
    }
    const shown = JSON.stringify(plan.shown);
    if (shown !== allowed) {
      await ask(context, changes, title, plan);
      allowed = shown;
      if (!(await isTrue(context, plan))) continue;
    }
    if (!(await commit(context.workspace.files, plan))) continue;
    noteRead(context, plan);
    return {
      title,
      output: ['Applied the patch:', ...plan.shown.map(lineOf)].join('\n'),
      metadata: { truncated: false, diff: plan.diff, files: plan.shown },
    };
  }
  throw new FaultError({
    code: 'keeps-changing',
    what: 'The files kept changing while the patch was to be applied. Nothing was changed.',
    next: 'Read them again, and find out what else is writing to them.',
  });
}

async function ask(
  context: ToolContext,
  changes: readonly PlacedChange[],
  title: string,
  { diff, shown }: Plan,
): Promise<void> {
  const places = changes.flatMap(({ place, target }) => (target ? [place, target] : [place]));
  // What moves without a change, and empty files, have no lines to show.
  const without = shown.filter(({ additions, deletions }) => additions + deletions === 0).map(lineOf);
  await context.ask({
    permission: 'edit',
    patterns: [...new Set(places.flatMap(({ patterns }) => patterns))],
    always: ['*'],
    subject: { kind: 'diff', path: [title, ...without].join('\n'), diff },
  });
}

/** What the model has not read whole, it has not read whole after its patch either. */
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

function pathsOf(changes: readonly PlacedChange[]): string[] {
  return [
    ...new Set(changes.flatMap(({ place, target }) => (target ? [place.path, target.path] : [place.path]))),
  ];
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
