import { messages } from '../../languages/messages.ts';

/** Texts of the history of messages, for screen readers. */
export const historyWords = messages('history', {
  recalled: (text: string) => `Earlier message: ${text}`,
  empty: 'The message box is empty again.',
});
