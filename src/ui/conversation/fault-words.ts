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
  /** Left out where the fault itself says more precisely what to do, such as the command that starts a server. */
  readonly next?: string;
}

export type FaultSummaries = Readonly<Record<(typeof SUMMARIZED)[number], FaultSummary>>;

/** Texts of faults. Their own texts are in English, as they are in the log. */
export const faultWords = messages('fault', {
  /** Says what a fault with this code means. Undefined where the fault's own text says it, as always in English. */
  summary: (_code: string): FaultSummary | undefined => undefined,
});

/** All that is said of a fault, as one text. What is only there in English follows what is in the page's language. */
export function faultText({ code, what, next }: Fault): string {
  const summary = faultWords.summary(code);
  if (!summary) return [what, next].filter(Boolean).join(' ');
  const details = [what, summary.next === undefined ? next : ''].filter(Boolean).join(' ');
  return `${[summary.what, summary.next].filter(Boolean).join(' ')} (${details})`;
}

/** Looks a code up in the summaries of a language. */
export function summaryOf(summaries: FaultSummaries, code: string): FaultSummary | undefined {
  return Object.hasOwn(summaries, code) ? summaries[code as keyof FaultSummaries] : undefined;
}
