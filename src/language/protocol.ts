import type { Fault } from '../base/fault.ts';
import type { GivenFile } from './typescript/file-table.ts';
import type { Method, Requests } from './language.ts';

/** What the page sends to the worker; in order, a request sees what was sent before it. */
export type ToWorker =
  /** Files that there are, of which no text is given yet. */
  | { readonly kind: 'names'; readonly paths: readonly string[] }
  | { readonly kind: 'files'; readonly files: readonly GivenFile[] }
  /** With all below them. */
  | { readonly kind: 'removed'; readonly paths: readonly string[] }
  /** The texts of the last `want` were sent or removed. */
  | { readonly kind: 'brought' }
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly method: Method;
      readonly params: Requests[Method]['params'];
    };

export type FromWorker =
  /** Answered by `brought`. */
  | { readonly kind: 'want'; readonly paths: readonly string[] }
  | { readonly kind: 'answer'; readonly id: number; readonly result: Requests[Method]['result'] }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: Fault };

/** What a `Worker` or a `MessagePort` is to who speaks through it. */
export interface LanguagePort {
  postMessage(message: ToWorker): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  /** It could not be loaded, or has failed. */
  onerror: ((event: ErrorEvent) => void) | null;
  /** Ends the worker. */
  terminate(): void;
}
