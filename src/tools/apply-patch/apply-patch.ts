import * as z from 'zod';
import { askForHidden } from '../change.ts';
import type { ToolContext, ToolDefinition, ToolResult } from '../tool.ts';
import { applyChanges } from './apply.ts';
import { parsePatch } from './parse.ts';
import { placed, planOf, type PlacedChange } from './plan.ts';

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
      return await applyChanges(context, {
        plan: () => planOf(context, changes),
        patterns: changes
          .flatMap(({ place, target }) => (target ? [place, target] : [place]))
          .flatMap(({ patterns }) => patterns),
        said: 'Applied the patch:',
        unchanged: 'The files already read as the patch says; nothing had to be changed.',
      });
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

function pathsOf(changes: readonly PlacedChange[]): string[] {
  return [
    ...new Set(changes.flatMap(({ place, target }) => (target ? [place.path, target.path] : [place.path]))),
  ];
}
