import { messages } from '../../languages/messages.ts';

/** Texts of the summary dialog, loaded with it. */
export const summaryWords = messages('summary', {
  title: 'Summary',
  of: (session: string) => `“${session}”: what was asked, done and changed, written by its model.`,
  writing: 'Writing',
  stop: 'Stop writing',
  stopped: 'Stopped before the end.',
  again: 'Write again',
  copy: 'Copy as Markdown',
  failed: 'No summary was written.',
});
