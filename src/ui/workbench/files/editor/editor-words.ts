import { messages } from '../../../languages/messages.ts';

/** Texts of the editor in the tab Files, and of what happens to files that are open in it. */
export const editorWords = messages('editor', {
  openFiles: 'Open files',
  textOf: (path: string) => `Text of ${path}`,
  unsaved: 'unsaved',
  closeTab: 'Close',
  save: 'Save',
  find: 'Find',
  leave: 'Tab indents. Escape, then Tab, leaves the text.',
  lineEnds: (name: string) => `Lines end in both ways. Saving makes all of them ${name}.`,
  notSaved: (name: string, why: string) => `${name} was not saved: ${why}`,
  notDurable: (name: string, why: string) => `${name} is saved, but may be gone after a reload: ${why}`,
  changedAgain: 'The file was just changed. Save again.',
  loadFailed: 'The editor could not be loaded, so the file is read-only.',
  tryAgain: 'Try again',

  largeReadOnly: 'Large files are read-only.',
  notUTF8: 'This file is not UTF-8 throughout. Some characters cannot be shown, and it is read-only.',

  closeUnsaved: (name: string) => `${name} has unsaved edits.`,
  discard: 'Discard',
  cancel: 'Cancel',

  changedBy: (name: string, agent: boolean) =>
    agent
      ? `${name} was changed by the agent while you had unsaved edits.`
      : `${name} was changed while you had unsaved edits.`,
  showBoth: 'Show both',
  keepMine: 'Keep mine',
  takeTheirs: (agent: boolean) => (agent ? 'Take the agent’s' : 'Take the other one'),
  bothLegend: (agent: boolean) =>
    agent
      ? 'Lines with − are the agent’s, lines with + are yours.'
      : 'Lines with − are in the file, lines with + are yours.',
  comparing: 'Comparing',
  tooDifferent: 'The two texts differ too much to be compared line by line.',
  deleted: (name: string) => `${name} was deleted. Save writes it again.`,

  /** The texts of CodeMirror, keyed by its own English ones. */
  phrases: {
    Find: 'Find',
    Replace: 'Replace with',
    next: 'Next',
    previous: 'Previous',
    all: 'Select all',
    'match case': 'Match case',
    'by word': 'Whole words',
    regexp: 'Regular expression',
    replace: 'Replace',
    'replace all': 'Replace all',
    close: 'Close the search',
    'current match': 'Match',
    'replaced $ matches': 'Replaced $ matches.',
    'replaced match on line $': 'Replaced the match in line $.',
    'on line': 'in line',
    Diagnostics: 'Problems',
    'No diagnostics': 'No problems',
    Completions: 'Completions',
    'Go to line': 'Go to line',
    go: 'Go',
  },
});
