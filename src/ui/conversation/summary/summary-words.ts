/** Texts of the summary dialog, loaded with it. */
export const summaryWords = {
  title: 'Summary',
  of: (session: string) => `Of “${session}”: what was asked, done and changed, in the words of its model.`,
  writing: 'Writing',
  stop: 'Stop writing',
  stopped: 'Stopped before the end.',
  again: 'Write again',
  copy: 'Copy as Markdown',
  failed: 'There is no summary.',
} as const;
