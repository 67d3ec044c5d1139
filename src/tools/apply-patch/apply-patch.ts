import * as z from 'zod';
import { askForHidden } from '../change.ts';
import type { ToolContext, ToolDefinition, ToolResult } from '../tool.ts';
import { applyChanges } from './apply.ts';
import { parsePatch } from './parse.ts';
import { resolveChanges, planOf, type ResolvedChange } from './plan.ts';

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
    'Give three kept lines around each change, exactly as they are in the file. Chunks follow in the file’s order.',
  ].join('\n'),
  parameters,
  asksFirst: true,
  async execute({ patchText }, context): Promise<ToolResult> {
    const changes = await resolveChanges(context, parsePatch(patchText));
    await askToRead(context, changes);
    const releases: (() => void)[] = [];
    try {
      // Locked in sorted order, so that two patches never wait for each other.
      for (const path of pathsOf(changes).toSorted()) releases.push(await context.lock(path));
      return await applyChanges(context, {
        plan: () => planOf(context, changes),
        patterns: changes
          .flatMap(({ source, target }) => (target ? [source, target] : [source]))
          .flatMap(({ patterns }) => patterns),
        message: 'Applied the patch:',
        unchanged: 'The files already match the patch; nothing was changed.',
      });
    } finally {
      for (const release of releases) release();
    }
  },
};

/**
 * A patch reveals hidden files: matching lines show what a file contains, a moved file can be read at its new path, and
 * adding or deleting shows whether a file exists. So read permission is asked for first.
 */
function askToRead(context: ToolContext, changes: readonly ResolvedChange[]): Promise<void> {
  const unseen = ({ path, patterns }: ResolvedChange['source']) =>
    context.reads.seen(path) === undefined ? patterns : [];
  const named = changes.flatMap(({ change, source, target }) => [
    ...(change.kind === 'update' ? source.patterns : unseen(source)),
    ...(target ? unseen(target) : []),
  ]);
  return askForHidden(context, named);
}

function pathsOf(changes: readonly ResolvedChange[]): string[] {
  return [
    ...new Set(
      changes.flatMap(({ source, target }) => (target ? [source.path, target.path] : [source.path])),
    ),
  ];
}
