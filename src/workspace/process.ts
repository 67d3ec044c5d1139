import type { Exit } from '../protocol/workspace-values.ts';

export interface Process {
  readonly id: string;
  /** Standard output and standard error merged as they came, decoded as UTF-8 across chunk borders. Can be read once. */
  readonly output: AsyncIterable<string>;
  write(input: string | Uint8Array): void;
  closeInput(): void;
  /** As Ctrl-C in a terminal: what runs is told, and goes on where it handles that. Not there where nothing can be told. */
  interrupt?(): void;
  /** Ends the process for certain; `exited` resolves with `reason: 'killed'`. */
  kill(): void;
  /** Resolves after the last output. Never rejects. */
  readonly exited: Promise<Exit>;
}
