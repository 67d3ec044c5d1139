import type { Fault } from '../../base/fault.ts';

/** Faults of answers that ended early, keyed by the finish reason. */
export const CUT_FAULTS: Partial<Record<string, Fault>> = {
  length: {
    code: 'answer-cut',
    what: 'The answer reached the length limit of the model and was cut.',
    next: 'Ask it to continue, in smaller pieces.',
  },
  'content-filter': {
    code: 'content-filter',
    what: 'The provider stopped the answer with its content filter.',
    next: 'Word the request differently, or use another model.',
  },
};

export const CALL_MISSING: Fault = {
  code: 'call-missing',
  what: 'The model said that it calls a tool, but sent no call that names one.',
  next: 'Send the message again; if it keeps happening, the model or its server may not support tools.',
};

export const NOTHING_SAID: Fault = {
  code: 'empty-answer',
  what: 'The model ended its turn without an answer.',
  next: 'Send the message again, word it differently, or use another model.',
};

export const STEP_LIMIT: Fault = {
  code: 'step-limit',
  what: 'The agent stopped at the limit of steps for one turn.',
  next: 'Send a message to let it continue.',
};
