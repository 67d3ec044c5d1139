import { messages } from '../../languages/messages.ts';
import { formatNumber } from '../../languages/numbers.ts';

/** Texts for showing the past, and for the slider that leads there. */
export const pastWords = messages('past', {
  past: 'You are looking at the past.',
  at: (count: number, total: number) =>
    `As it was after event ${formatNumber(count)} of ${formatNumber(total)}.`,
  now: 'Back to now',
  nothing: 'Nothing had been said yet.',

  slider: 'Event',
  moment: 'Look at the past',
  present: (total: string) => `After ${total} ${total === '1' ? 'event' : 'events'}`,
  place: (count: string, total: string, what: string) => `Event ${count} of ${total}: ${what}`,
  before: 'One event back',
  after: 'One event forward',
  start: 'before the first',

  files: (at: number) => `Files as they were at event ${formatNumber(at)}`,
  filesAtStart: 'Files as they were at the beginning',
  filesAfterTurn: (turn: number) => `Files as they were after turn ${turn}`,
  filesAfterCall: (tool: string, turn: number) => `Files as they were after ${tool} in turn ${turn}`,
  laterFilesLeftOut: 'This recording does not hold the files after every later call.',
  filesLoading: 'Reading the list of files',
  filesFailed: (why: string) => `The files could not be read: ${why}`,
  noFiles: 'There were no files.',
  notRecorded: 'No files were recorded.',
  ignored: (paths: readonly string[]) => {
    const named = paths.slice(0, 5).join(', ');
    const more = paths.length > 5 ? ` and ${paths.length - 5} more` : '';
    return `Not kept, because .gitignore or a fixed list leaves it out: ${named}${more}.`;
  },
  fileGone: 'This file is no longer kept.',
  binary: 'This file is not text.',
});
