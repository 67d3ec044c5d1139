import { messages } from '../../languages/messages.ts';

/** The inspector's sentences that explain why a call ran or did not. */
export const reasonWords = messages('reasons', {
  yourArguments: 'It did not run: your arguments do not match the schema.',
  cannotRun: 'It did not run: the model wrote a call that cannot be run, and was told why.',
  noDecision: 'No decision was needed: this tool asks for nothing.',
  endedBefore: {
    cancelled: 'It was cancelled before anything was decided.',
    interrupted: 'It was interrupted before anything was decided.',
    other: 'It ended before anything was decided.',
  },
  stillWritten: 'The model is still writing it.',
  notStarted: 'It has not started yet.',
  deniedBefore: 'Denied without asking: the same request was denied earlier in this turn.',
  dangerous: (text: string) => `Asked whatever the rules allow: ${text} matches a dangerous pattern.`,
  verdict: {
    asked: (cause: string) => `Asked because ${cause}.`,
    denied: (cause: string) => `Denied without asking because ${cause}.`,
    allowed: (cause: string) => `Allowed without asking because ${cause}.`,
  },
  askedWithoutRule: 'Asked because no rule covers it.',
  decidedWithoutRule: 'Decided without a rule.',
  /** The end of a sentence that begins as one of `verdict`. */
  noRule: (pattern: string) => `no rule covers “${pattern}”`,
  byRule: (rule: string, source: string, pattern: string) =>
    `the rule “${rule}” of ${source} decided for “${pattern}”`,
  /** How many other patterns the same rule decided, and how many other rules did. */
  also: (same: number, other: number) =>
    [
      same > 0 && `${same === 1 ? 'one more pattern' : `${same} more patterns`} by the same rule`,
      other > 0 && `${other === 1 ? 'another' : `${other} others`} by other rules`,
    ]
      .filter(Boolean)
      .join(', '),
  withAlso: (cause: string, also: string) => `${cause}; ${also}`,
  withdrawn: (time: string) => `Withdrawn after ${time}: the turn ended before it was answered.`,
  answered: (answer: string, time: string) => `${answer} after ${time}.`,
  answeredSaying: (answer: string, time: string, message: string) =>
    `${answer} after ${time}, saying: ${message}.`,
  waits: 'It waits for your answer.',
});
