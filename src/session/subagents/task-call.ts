import type { JsonObject } from '../../base/json.ts';
import type { ModelRef } from '../log/events.ts';

/** The call that starts a task or asks about it. */
export interface TaskCall {
  readonly messageID: string;
  readonly callID: string;
  readonly agent: string;
  readonly model: ModelRef;
  readonly signal: AbortSignal;
  progress(update: { readonly title: string; readonly metadata: JsonObject }): void;
}
