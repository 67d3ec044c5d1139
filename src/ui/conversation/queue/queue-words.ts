import { messages } from '../../languages/messages.ts';

/** Texts of the list of messages that wait to be sent. */
export const queueWords = messages('queue', {
  list: 'Queued messages',
  hint: (n: number) =>
    n === 1 ? '1 message goes out after this step' : `${n} messages go out after this step`,
  /** Nothing runs that they could follow. */
  waits: (n: number) =>
    n === 1 ? '1 message waits for you to send it' : `${n} messages wait for you to send them`,
  sendNow: 'Send now',
  sendNowHint: 'Stop what runs and send this message at once',
  edit: 'Edit',
  editing: 'Edit the queued message',
  keep: 'Keep',
  cancel: 'Cancel',
  up: 'Move up',
  down: 'Move down',
  remove: 'Remove',
});
