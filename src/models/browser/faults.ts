import { FaultError, faultOf, type Fault } from '../../base/fault.ts';
import type { Availability } from './prompt-api.ts';

const SETTINGS = 'Open Settings, Models, to see what this browser offers, or choose another model there.';

export const NO_API: Fault = {
  code: 'no-browser-model',
  what: 'This browser has no language model of its own that pages can use.',
  next: 'Chrome 148 or newer on a computer may have one. Choose another model in Settings.',
  retryable: false,
};

const UNAVAILABLE: Fault = {
  code: 'no-browser-model',
  what: 'The language model of this browser cannot run here: the browser says that it is unavailable.',
  next: 'It needs much free disk space and memory. Choose another model in Settings.',
  retryable: false,
};

const NOT_DOWNLOADED: Fault = {
  code: 'browser-model-missing',
  what: 'The language model of this browser has not been downloaded yet.',
  next: 'Open Settings, Models, and download it there.',
  retryable: false,
};

const DOWNLOADING: Fault = {
  code: 'browser-model-missing',
  what: 'The browser is still downloading its language model.',
  next: 'Try again when it is there. Settings, Models, shows how far it is.',
  retryable: false,
};

/** Returns why a model of this availability cannot answer, or `undefined` if it can. */
export function availabilityFault(availability: Availability): Fault | undefined {
  if (availability === 'downloadable') return NOT_DOWNLOADED;
  if (availability === 'downloading') return DOWNLOADING;
  return availability === 'available' ? undefined : UNAVAILABLE;
}

/** Describes an error of the Prompt API by its name, which the specification fixes; its messages differ. */
export function promptFault(error: unknown): Fault {
  if (error instanceof FaultError) return error.fault;
  const name = error instanceof Error ? error.name : '';
  const { what } = faultOf(error);
  switch (name) {
    case 'AbortError':
      return { code: 'aborted', what: 'The request was stopped.' };
    case 'QuotaExceededError':
      return {
        code: 'context-overflow',
        what: 'The conversation is longer than the language model of this browser can read.',
        next: 'Start a new session, or choose another model.',
        retryable: false,
      };
    case 'NotAllowedError':
      return {
        code: 'browser-model-refused',
        what: `The browser refused its model: ${what}`,
        next: SETTINGS,
      };
    case 'NotReadableError':
      return {
        code: 'browser-model-filtered',
        what: 'The browser held back the answer of its model.',
        next: 'Word the prompt differently, or choose another model.',
        retryable: false,
      };
    default:
      return {
        code: 'browser-model-failed',
        what: `The language model of this browser failed: ${what}`,
        next: SETTINGS,
        retryable: true,
      };
  }
}
