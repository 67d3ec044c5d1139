import { messages } from '../../languages/messages.ts';

/** Texts of the lists of commands. */
export const paletteWords = messages('palette', {
  palette: 'All commands',
  field: 'Command',
  placeholder: 'What do you want to do?',
  list: 'Commands',
  none: 'No command has this in its name.',
  found: (count: number) => (count === 1 ? '1 command' : `${count} commands`),

  keys: 'Keys',
  keysAbout:
    'They work everywhere on the page, unless a text field needs them. You can give a command other keys.',
  command: 'Command',
  key: 'Keys',
  noKeys: 'none',
  change: (command: string) => `Change the keys of “${command}”`,
  changeShort: 'Change',
  press: 'Press the new keys. Backspace takes the keys away, Escape leaves them as they are.',
  needsModifier: 'Use Ctrl, Alt or ⌘ with it, or a function key: other keys write text.',
  taken: (keys: string, command: string) => `${keys} are the keys of “${command}”.`,
  take: 'Take them',
  leave: 'Leave them',
  reset: (command: string) => `Give “${command}” its usual keys`,
  resetShort: 'Reset',
  resetAll: 'Give all commands their usual keys',

  more: 'Other keys',
  others: [
    ['Enter, Shift+Enter', 'In the message box: send, new line'],
    ['/, @', 'In the message box: commands, files'],
    ['Arrow keys, Home, End', 'In lists, trees and tabs, and on the line at the edge of a pane'],
    ['Escape, then Tab', 'Leave the terminal or the text of a file'],
    ['Tab, Shift+Tab', 'From one thing to the next, and back'],
  ],
});
