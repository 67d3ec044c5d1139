/** What the page says while it shows the past, and the slider that leads there. */
export const pastWords = {
  past: 'You look at the past.',
  at: (count: number, total: number) =>
    `As it was after event ${count.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}.`,
  now: 'Back to now',
  nothing: 'Nothing had been said yet.',

  slider: 'Event',
  moment: 'Look at the past',
  present: (total: string) => `Now, after ${total} events`,
  place: (count: string, total: string, what: string) => `Event ${count} of ${total}: ${what}`,
  before: 'One event back',
  after: 'One event on',
  start: 'before the first',

  files: (at: number) => `Files as they were at event ${at.toLocaleString('en-US')}`,
  filesLoading: 'Reading the list of files',
  filesFailed: (why: string) => `The files could not be read: ${why}`,
  noFiles: 'There were no files.',
  fileGone: 'This file is no longer kept.',
  binary: 'This file is no text.',
} as const;
