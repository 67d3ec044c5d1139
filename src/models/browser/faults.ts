import { FaultError, faultOf, type Fault } from '../../base/fault.ts';
import { FAULT_TEXTS as TEXTS, fill } from '../../base/fault-texts.ts';
import type { Availability } from './prompt-api.ts';

export const NO_API: Fault = {
  code: 'no-browser-model',
  what: 'This browser has no language model of its own that pages can use.',
  next: TEXTS.newerChrome,
  retryable: false,
};

const UNAVAILABLE: Fault = {
  code: 'no-browser-model',
  what: 'The language model of this browser cannot run here: the browser says that it is unavailable.',
  next: TEXTS.needsRoom,
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
      return { code: 'aborted', what: TEXTS.stopped };
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
        what: fill(TEXTS.browserRefused, { why: what }),
        next: TEXTS.seeBrowserModel,
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
        what: fill(TEXTS.browserFailed, { why: what }),
        next: TEXTS.seeBrowserModel,
        retryable: true,
      };
  }
}
