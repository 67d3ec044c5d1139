import { messages } from '../../languages/messages.ts';

/** What the heads of calls say that a tool does. */
export const verbWords = messages('verbs', {
  /** The verb that a tool's card has, which is in English, in the language of the page. */
  of: (english: string) => english,
});
