import { messages } from '../../languages/messages.ts';

/** The verbs at the heads of calls. */
export const verbWords = messages('verbs', {
  /** The verb that a tool's card has, which is in English, in the language of the page. */
  of: (english: string) => english,
});
