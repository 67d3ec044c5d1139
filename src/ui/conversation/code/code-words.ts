import { messages } from '../../languages/messages.ts';

/** Texts of the actions at a block of code in an answer. */
export const codeWords = messages('codeBlock', {
  save: 'Save as a file',
  path: 'Path of the file',
  write: 'Save',
  exists: (path: string) => `${path} exists already. Should it be replaced?`,
  replace: 'Replace it',
  isFolder: (path: string) => `${path} is a folder. Choose another path.`,
  badPath: 'This path cannot be used. Give one that stays inside the workspace.',
  saved: (path: string) => `Saved as ${path}.`,

  run: 'Run in the terminal',
  ask: 'Run this in your terminal?',
  command: 'Command to run',
  start: 'Run',
  busy: 'Something still runs in your terminal. Stop it there, or wait for its end.',

  cancel: 'Cancel',
});
