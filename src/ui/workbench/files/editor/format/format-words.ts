import type { SettingsNote } from './protocol.ts';
import { messages } from '../../../../languages/messages.ts';

/** Texts of formatting. */
export const formatWords = messages('format', {
  format: 'Format',
  keys: 'Shift+Alt+F',
  onSave: 'Format on save',
  formatting: 'Formatting',
  formatted: 'Formatted.',
  unchanged: 'The text is formatted already.',
  ignored: 'This file is left out by .prettierignore, or belongs to a package. Nothing was changed.',
  syntax: (line: number, column: number, message: string) =>
    `Not formatted. Line ${line}, column ${column}: ${message}`,
  failed: (why: string) => `Not formatted. ${why}`,
  changedMeanwhile: 'Not formatted, because the text changed meanwhile. Format again.',
  note: (note: SettingsNote, path: string): string => {
    switch (note.kind) {
      case 'code':
        return `${path} is code, which is not run for this: the defaults and .editorconfig were used.`;
      case 'unreadable':
        return `${path} could not be read (${note.why}), so the defaults and .editorconfig were used.`;
      case 'plugins':
        return `The plugins in ${path} were left out.`;
    }
  },
});
