import { messages } from '../../languages/messages.ts';
import { formatNumber } from '../../languages/numbers.ts';

/** Texts of the dialog that opens a file by its name. */
export const findWords = messages('find', {
  title: 'Go to file',
  field: 'Name of the file',
  placeholder: 'Part of a name, and :line',
  list: 'Files',
  loading: 'Listing the files',
  none: 'No such file',
  empty: 'This workspace has no files yet.',
  noWorkspace: 'Open a session first: files belong to its workspace.',
  failed: (why: string) => `The files cannot be listed: ${why}`,
  found: (count: number) =>
    `${count === 1 ? '1 file' : `${count} files`}: Up and Down choose, Enter opens, Escape closes`,
  atLine: (line: number) => `line ${line}`,
  recent: 'recently opened',
  newest: (count: number) => `Only the newest ${formatNumber(count)} files are offered.`,
});
