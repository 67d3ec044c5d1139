import { count } from '../../format.ts';
import { messages } from '../../languages/messages.ts';

const files = (n: number) => (n === 1 ? '1 file' : `${count(n)} files`);

function undone(n: number): string {
  if (n === 0) return 'Files were put back.';
  return n === 1 ? '1 message is undone.' : `${count(n)} messages are undone.`;
}

export const restoreWords = messages('restore', {
  actions: 'Actions for this message',
  copy: 'Copy message',
  edit: 'Edit',
  delete: 'Delete',
  deleteHint: 'Delete this message and its answer from the conversation. The files stay as they are.',
  deleted: 'The message and its answer left the conversation. The files stay as they are.',
  answerActions: 'Actions for this answer',
  retry: 'Retry',
  retryHint: 'Send your message again. This answer stays as another version, with its files.',
  restore: 'Restore to here',
  editing: 'Edit your message',
  resend: 'Send',
  cancel: 'Cancel',
  resendHint: 'The conversation from here on stays as another version, with its files.',
  versions: 'Versions of this message',
  version: (n: number, of: number) => `${n} of ${of}`,
  versionSpoken: (n: number, of: number) => `Version ${n} of ${of}`,
  previous: 'Previous version',
  next: 'Next version',
  readOnly: 'This session cannot be changed here.',

  title: 'Restore to here',
  about: 'Goes back to the moment right before this message was sent.',
  titleMove: 'Some of your changes are in the way',
  aboutMove: 'Going there would change files that this conversation did not change last.',
  what: 'What to restore',
  both: 'Conversation and files',
  conversation: 'Only the conversation',
  files: 'Only the files',
  filesUnknown: 'The files stay as they are: no snapshot of that moment is stored.',
  leave: (n: number) =>
    n === 1
      ? 'Your message and its answer will leave the conversation.'
      : `${count(n)} of your messages and their answers will leave the conversation.`,
  kept: 'You can undo this. After your next message, they stay as another version.',
  filesChange: (n: number) => (n === 0 ? 'No file will change.' : `${files(n)} will change:`),
  list: 'Files that will change',
  listStays: 'Files that stay as they are',
  listBoth: 'Files that will change, and files that stay as they are',
  renamed: (from: string, to: string) => `${from} → ${to}`,
  foreign: 'Not changed last by this conversation.',
  stays: 'It stays as it is.',
  overwrite: 'Overwrite it',
  overwriteAll: (n: number) => `Overwrite all ${files(n)} that this conversation did not change last`,
  ignored: 'Ignored files, such as node_modules, are not in snapshots. They stay as they are.',
  run: 'Restore',
  runAndSend: 'Restore and send',
  running: 'Restoring…',
  letters: { added: 'A', removed: 'D', renamed: 'R', changed: 'M' },
  kinds: {
    added: 'will be brought back',
    removed: 'will be removed',
    renamed: 'will be renamed',
    changed: 'will be changed',
  },
  /** These say what the restore would do to a file that the person keeps as it is. */
  wouldBe: {
    added: 'would be brought back',
    removed: 'would be removed',
    renamed: 'would be renamed',
    changed: 'would be changed',
  },

  restored: 'Restored.',
  nothingToUndo: 'There is no message to undo.',
  undone: (n: number) => (n === 0 ? 'Message undone.' : `Message undone, and ${files(n)} put back.`),
  undoneAlone: 'Message undone. The files stay as they are: no snapshot of that moment is stored.',
  undoneBar: (n: number) => `${undone(n)} Your next message continues from here.`,
  redo: 'Redo',
  restoring: 'Restoring…',
});
