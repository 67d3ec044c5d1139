import type { Fault } from '../../base/fault.ts';
import { messages } from '../languages/messages.ts';

/** The faults that people meet most, by their codes. Languages other than English have a summary for each. */
export const SUMMARIZED = [
  'no-key',
  'no-model',
  'auth',
  'quota',
  'rate-limit',
  'overloaded',
  'server-error',
  'offline',
  'unreachable',
  'cors',
  'cors-organization',
  'local-network',
  'mixed-content',
  'context-overflow',
  'no-pictures',
  'model-not-found',
  'wrong-base-url',
  'bad-request',
  'malformed-stream',
  'stream-cut',
  'timeout',
  'answer-cut',
  'content-filter',
  'call-missing',
  'empty-answer',
  'step-limit',
  'model-failed',
  'no-models',
  'no-script',
  'provider-error',
  'browser-model-missing',
  'no-browser-model',
  'no-summary',
  'script-exhausted',
  'script-invalid',
  'recording-exhausted',
  'recording-invalid',
  'recording-damaged',
  'recording-unreachable',
  'recording-missing',
  'recording-version',
  'recording-too-big',
  'recording-address',
  'lesson-unknown',
  'lesson-invalid',
  'too-many-lessons',
  'part-unreachable',
  'part-missing',
  'session-not-found',
  'workspace-unknown',
  'workspace-elsewhere',
  'turn-runs',
  'session-closed',
  'edit-lost',
  'context-full',
  'nothing-to-sum-up',
  'snapshot-damaged',
  'restore-runs',
  'nothing-to-redo',
  'workspace-gone',
  'webcontainer-off',
  'webcontainer-not-allowed',
  'webcontainer-in-use',
  'sign-in-refused',
  'sign-in-used',
  'sign-in-storage',
  'sign-in-proof',
  'sign-in-other-tab',
  'sign-in-failed',
  'sign-in-expired',
  'sign-in-busy',
  'sign-in-answer',
  'no-free-model',
  'settings-invalid',
  'no-recording',
  'no-room',
  'model-refused',
  'model-incomplete',
  'browser-model-refused',
  'browser-model-filtered',
  'browser-model-failed',
  'language-unavailable',
  'import-too-many',
  'import-too-large',
  'import-file-too-large',
  'import-stopped',
  'folder-too-large',
  'storage-too-new',
  'storage-full',
  'storage-unavailable',
  'storage-lost',
] as const;

export interface FaultSummary {
  readonly what: string;
  /** Left out where the sentences of the fault itself are translated, since they say more precisely what to do. */
  readonly next?: string;
}

export type FaultSummaries = Readonly<Record<(typeof SUMMARIZED)[number], FaultSummary>>;

/** A fault as it is shown. */
export interface ShownFault {
  readonly what: string;
  /** The words of a server, a file or the browser, in whatever language they are. */
  readonly quote?: string;
  readonly next?: string | undefined;
  /** True if there is no translation of `next`. */
  readonly nextInEnglish?: boolean;
}

/** Texts of faults. Their own texts are in English, as they are in the log. */
export const faultWords = messages('fault', {
  /** Says a fault in the page's language. Undefined where the fault's own text is all there is, as always in English. */
  shown: (_fault: Fault): ShownFault | undefined => undefined,
});

/** A fault in the page's language, as far as it is translated. */
export function shownFault(fault: Fault): ShownFault {
  return faultWords.shown(fault) ?? { what: fault.what, next: fault.next };
}

/** All that is said of a fault, as one text. */
export function faultText(fault: Fault): string {
  const { what, quote, next } = shownFault(fault);
  return [what, next, quote && `(${quote})`].filter(Boolean).join(' ');
}
