import { messageOf } from './message-of.ts';
import * as z from 'zod/mini';

/**
 * An error as a value: plain JSON, so that an event can carry it, storage can keep it and the page can show it.
 * `code` is stable and machine-readable, `what` says what happened, `where` names the file, record, field or address
 * where it happened, `next` is the one thing to do about it.
 */
export const faultSchema = z.object({
  code: z.string(),
  what: z.string(),
  where: z.optional(z.string()),
  next: z.optional(z.string()),
  /** Whether trying the same thing again may well succeed. */
  retryable: z.optional(z.boolean()),
  /** How long the other side asks to wait, in milliseconds. */
  retryAfterMs: z.optional(z.number()),
});
export type Fault = z.infer<typeof faultSchema>;

/** Carries a {@link Fault} through code that throws; caught at the nearest boundary and turned back into the value. */
export class FaultError extends Error {
  readonly fault: Fault;
  constructor(fault: Fault, options?: ErrorOptions) {
    super(fault.what, options);
    this.name = 'FaultError';
    this.fault = fault;
  }
}

/** The fault inside `error`, or a new one with `code` and the message of whatever was thrown. */
export function faultOf(error: unknown, code = 'unexpected'): Fault {
  if (error instanceof FaultError) return error.fault;
  return { code, what: messageOf(error) };
}
