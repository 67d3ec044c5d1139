import type { ChangeKind } from '../../../workspace/changes/compare.ts';
import { messages } from '../../languages/messages.ts';
import { formatNumber } from '../../languages/numbers.ts';

const files = (count: number) => (count === 1 ? '1 file' : `${formatNumber(count)} files`);

/** Texts of the tab "Changes". */
export const changesWords = messages('changes', {
  changes: 'Changes',
  since: 'Changed since',
  turn: 'the last turn began',
  first: 'the first message',
  opening: 'the files were opened here',
  /** `text` is the beginning of a message of the person. */
  beforeMessage: (text: string) => `before “${text}”`,
  messages: 'Your messages',
  leftOut: 'Ignored files, such as node_modules, are left out.',
  commentOn: (path: string, line: number) => `Comment on ${path}, line ${line}`,
  addComment: 'Add to your message',
  commentAdded: 'Your comment is in the message box.',
  cancel: 'Cancel',
  list: 'Changed files',
  summary: (count: number) => `${files(count)} changed`,
  lines: (added: number, removed: number) => `+${added} −${removed}`,
  linesSpoken: (added: number, removed: number) =>
    `${added} ${added === 1 ? 'line' : 'lines'} added, ${removed} removed`,
  letters: { added: 'A', removed: 'D', renamed: 'R', changed: 'M' } satisfies Record<ChangeKind, string>,
  kinds: {
    added: 'added',
    removed: 'deleted',
    renamed: 'renamed',
    changed: 'changed',
  } satisfies Record<ChangeKind, string>,
  renamed: (from: string, to: string) => `${from} → ${to}`,
  comparing: 'Comparing files',
  none: 'Nothing has changed.',
  noSnapshot:
    'There are too many files here to hold a copy of them, so changes are shown from your first message on. Until then, `git diff` in the terminal shows them in a repository.',
  failed: (why: string) => `The changes cannot be shown: ${why}`,
  contentGone: 'A file of that moment is no longer stored.',

  keep: 'Keep',
  keepHunk: (number: number) => `Keep change ${number}`,
  keptHunk: 'You keep this change.',
  keepFile: (path: string) => `Keep ${path}`,
  keptFiles: (count: number) => `You keep the changes of ${files(count)}.`,
  showKept: 'Show',
  hideKept: 'Hide',
  putBack: 'Put back',
  putBackFile: (path: string) => `Put back ${path}`,
  putBackHunk: (number: number) => `Put back change ${number}`,
  didPutBack: (path: string) => `${path} is as it was.`,
  didPutBackHunk: (path: string) => `One change of ${path} was put back.`,
  beside: 'Side by side',
  download: 'Download all changes as a patch',
  patchName: 'changes.patch',

  notText: (before: string, after: string) => `This file is not text. Before: ${before}. Now: ${after}.`,
  absent: 'no file',
  tooLarge: 'This file is too large to show what changed in it.',
  tooDifferent: 'The two versions of this file are too different to compare.',
  empty: 'This file is empty.',
  modeOnly: 'Only the permission to run the file has changed.',
  renamedOnly: 'The content is the same.',
  link: (target: string) => `a link to ${target}`,
});
