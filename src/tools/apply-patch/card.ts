import type { Card } from '../card.ts';
import { firstText, trimRoot, type Describe } from '../describe.ts';

/** The files of a patch, as far as the model has written it. */
const describePatch: Describe = ({ input }) => {
  const patch = firstText(input, ['patchText']);
  const names = [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(
    ([, name]) => name ?? '',
  );
  const detail = names.length > 1 ? `and ${names.length - 1} more` : '';
  return { subject: trimRoot(names[0]?.trim() ?? ''), detail };
};

export const applyPatchCard: Card = { verb: 'Patch', icon: 'file-pen', describe: describePatch };
