import type { FileChange } from '../../../session/compare/summary.ts';

/** Texts of the comparison of two runs, loaded with it. */
export const compareWords = {
  title: 'Compare', // contract
  hint: 'The same prompt, on two models, agents or settings, each in its own copy of the files as they are now.',
  prompt: 'Prompt', // contract
  sides: ['A', 'B'], // contract
  provider: 'Provider', // contract
  model: 'Model', // contract
  agent: 'Agent', // contract
  effort: 'Effort', // contract
  effortDefault: 'As it does unasked',
  mode: 'Mode', // contract
  start: 'Run both', // contract
  missing: { prompt: 'Write a prompt first.', model: 'Name a model for A and for B first.' },
  starting: 'Copying the files',
  again: 'Compare anew', // contract
  noWorkspace: 'Open a session first: its files are what is compared on.',
  figures: 'Figures', // contract
  rows: {
    status: 'Ended',
    steps: 'Steps',
    calls: 'Calls',
    failed: 'Calls that did not end well',
    tokens: 'Tokens in, out',
    cost: 'Cost',
    time: 'Time, with waits for you',
    files: 'Files changed',
  },
  status: {
    idle: 'by itself',
    error: 'with an error',
    aborted: 'stopped',
    rejected: 'refused',
    interrupted: 'cut off',
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
} as const;
