import { messages } from '../../languages/messages.ts';

/** Texts of the file name completion. */
export const mentionWords = messages('mention', {
  files: 'Files to attach',
  found: (count: number) =>
    count === 0
      ? 'No such file'
      : `${count === 1 ? '1 file' : `${count} files`}: Up and Down choose, Enter attaches, Escape closes`,
});
