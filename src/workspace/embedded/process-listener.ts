import type { TypedShellEvent } from '../typed-shell.ts';
import type { Exit } from '../workspace.ts';

/** Receives the kernel's messages about a process. */
export interface ProcessListener {
  heard(bytes: Uint8Array): void;
  tell?(event: TypedShellEvent): void;
  ended(exit: Exit): void;
  /** Called when the kernel is gone. */
  lose(reason: string): void;
}
