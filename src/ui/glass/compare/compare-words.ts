import type { FileChange } from '../../../session/compare/summary.ts';
import { messages } from '../../languages/messages.ts';

/** Texts of the comparison of two runs, loaded with it. */
export const compareWords = messages('compare', {
  title: 'Compare', // contract
  hint: 'Runs one prompt with two models, agents or settings, each on its own copy of the current files.',
  prompt: 'Prompt', // contract
  sides: ['A', 'B'], // contract
  provider: 'Provider', // contract
  model: 'Model', // contract
  agent: 'Agent', // contract
  effort: 'Effort', // contract
  effortDefault: 'Model default',
  mode: 'Mode', // contract
  start: 'Run both', // contract
  missing: { prompt: 'Write a prompt first.', model: 'Choose a model for A and for B first.' },
  starting: 'Copying the files',
  again: 'Compare anew', // contract
  noWorkspace: 'Open a session first: both runs start from its files.',
  figures: 'Figures', // contract
  rows: {
    status: 'Ended',
    steps: 'Steps',
    calls: 'Calls',
    failed: 'Calls that failed or were denied',
    tokens: 'Tokens in, out',
    cost: 'Cost',
    time: 'Time, including waits for you',
    files: 'Files changed',
  },
  status: {
    idle: 'normally',
    error: 'with an error',
    aborted: 'stopped',
    rejected: 'denied',
    interrupted: 'interrupted',
  },
  works: 'works',
  difference: 'B to A',
  none: 'n/a',
  stop: (side: string) => `Stop ${side}`, // contract
  open: (side: string) => `Open ${side}`, // contract
  conversation: (side: string, what: string) => `${side}: ${what}`,
  steps: 'Steps that differ',
  step: 'Step',
  lastStep: 'Step without a call',
  says: 'says',
  withWords: 'With what they say', // contract
  stepsSame: 'Both took the same steps, with the same calls.',
  wordsSame: 'Both took the same steps, with the same calls, and said the same.',
  files: 'Files',
  filesNone: 'Neither changed a file.',
  changes: { same: 'unchanged', created: 'created', changed: 'changed', removed: 'removed' } satisfies Record<
    FileChange,
    string
  >,
  equal: 'the same in both',
  file: (a: string, b: string) => `A ${a}, B ${b}`,
  showDiff: (path: string) => `Compare ${path}`,
  diffHint: 'In a diff, − is A and + is B.',
});
