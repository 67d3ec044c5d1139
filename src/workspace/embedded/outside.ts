import type { OutsideEntry } from '../../protocol/outside.ts';

export type { OutsideEntry };

/**
 * The files that a shell sees in `~/.opencode` and `~/.config/opencode`: the full outputs of tools and the person's own
 * files, which the app stores. They are looked up on demand, and never written from inside.
 */
export interface OutsideFiles {
  /** `path` is relative to `~`, such as `.opencode/truncate`. `null` where there is nothing. */
  look(path: string): Promise<OutsideEntry | null>;
}
