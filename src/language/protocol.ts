import type { Fault } from '../base/fault.ts';
import type { FileText } from './typescript/file-table.ts';
import type { Method, Requests } from './language.ts';

/** The messages from the page to the worker. A request sees everything that was sent before it. */
export type ToWorker =
  /** Existing files whose text has not been sent yet. */
  | { readonly kind: 'names'; readonly paths: readonly string[] }
  | { readonly kind: 'files'; readonly files: readonly FileText[] }
  /** Includes everything below the paths. */
  | { readonly kind: 'removed'; readonly paths: readonly string[] }
  /** Sent when the files of the last `want` were sent or removed. */
  | { readonly kind: 'brought' }
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly method: Method;
      readonly params: Requests[Method]['params'];
    };

export type FromWorker =
  /** Asks for texts; answered by `brought`. */
  | { readonly kind: 'want'; readonly paths: readonly string[] }
  | { readonly kind: 'answer'; readonly id: number; readonly result: Requests[Method]['result'] }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: Fault };

/** The part of a `Worker` or a `MessagePort` that the page needs. */
export interface LanguagePort {
  postMessage(message: ToWorker): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  /** Called when the worker could not be loaded or has failed. */
  onerror: ((event: ErrorEvent) => void) | null;
  /** Ends the worker. */
  terminate(): void;
}
