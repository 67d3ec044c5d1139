import { messages } from '../../../languages/messages.ts';

/** Texts about the files of the message that is being written. */
export const attachWords = messages('attach', {
  attach: 'Attach',
  choose: 'Choose files…',
  paste: 'Paste from the clipboard',
  open: (name: string) => `Show ${name} large`,
  unknownPictures: (model: string) => `Vitrine does not know whether ${model} can see pictures.`,
  held: 'Not sent yet. Choose how to send it.',
  needsWords: 'Without its pictures the message is empty. Write something, and it can be sent without them.',
  otherModel: 'Choose another model',
  sendAnyway: 'Send anyway',
  sendWithoutPictures: 'Send without pictures',
  sent: 'Files of this message',
  clipboardEmpty: 'There is no picture in the clipboard.',
  clipboardRefused:
    'The browser does not let this page read the clipboard. Press Ctrl+V in the message box instead.',
  list: 'Attached files',
  remove: (name: string) => `Remove ${name} from the message`,
  removed: (name: string) => `${name} is no longer attached.`,
  stays: 'The file stays in the workspace and goes along when the session is shared.',
  deleteFile: 'Delete the file',
  noPictures: (model: string) =>
    `${model} cannot see pictures and gets a note instead. Choose another model, or describe what they show.`,
  noPDFs: (model: string) =>
    `${model} cannot be sent PDFs and gets a note instead. Choose another model, or attach the text.`,
});
