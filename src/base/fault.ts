import * as z from 'zod';

/**
 * An error as a value: plain JSON, so that it can stand in an event, be stored and be worded for a person.
 * `code` is stable and machine-readable, `what` says what happened, `where` names the file, record, field or
 * address it happened at, `next` is the one thing to do about it.
 */
export const faultSchema = z.object({
  code: z.string(),
  what: z.string(),
  where: z.string().optional(),
  next: z.string().optional(),
  /** The same thing tried again may well succeed. */
  retryable: z.boolean().optional(),
  /** How long the other side asks to wait, milliseconds. */
  retryAfterMs: z.number().optional(),
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

/** The fault inside `error`, or one with `code` made from whatever was thrown. */
export function faultOf(error: unknown, code = 'unexpected'): Fault {
  if (error instanceof FaultError) return error.fault;
  return { code, what: error instanceof Error ? error.message : String(error) };
}
