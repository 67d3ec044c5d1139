import { SvelteMap } from 'svelte/reactivity';
import type { Line } from '../../../kit/highlight.ts';
import { BLOCK_ROWS, linesByBlock } from './blocks.ts';
import type { DiffRow } from './unified-diff.ts';

/** The colours of a diff's rows, as they come from the worker. */
class DiffColours {
  readonly #blocks = new SvelteMap<number, readonly (Line | undefined)[]>();
  #stopped = false;

  /** The coloured line of the row with this index, once there is one. The read is reactive. */
  of(row: number): Line | undefined {
    return this.#blocks.get(Math.floor(row / BLOCK_ROWS))?.[row % BLOCK_ROWS];
  }

  async start(rows: readonly DiffRow[], path: string): Promise<void> {
    const [{ colourPieces }, { highlightInParts }] = await Promise.all([
      import('./colour-pieces.ts'),
      import('../../../kit/highlight.ts'),
    ]);
    for (const piece of colourPieces(rows, path)) {
      if (this.#stopped) return;
      let from = 0;
      await highlightInParts(piece.text, piece.language, (lines) => {
        this.#add(piece.rows.slice(from, from + lines.length), lines);
        from += lines.length;
      });
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  #add(rows: readonly (number | null)[], lines: readonly Line[]): void {
    if (this.#stopped) return;
    for (const [block, each] of linesByBlock(rows, lines)) {
      const now = [...(this.#blocks.get(block) ?? [])];
      for (const [at, line] of each) now[at] = line;
      this.#blocks.set(block, now);
    }
  }
}

/** Colours the rows of a diff from when it is first seen, and anew when they change. Call it while a component is made. */
export function coloursOf(
  rows: () => readonly DiffRow[],
  path: () => string,
): { readonly see: () => void; readonly of: (row: number) => Line | undefined } {
  let isSeen = $state(false);
  const colours = $derived(rows() && new DiffColours());
  $effect(() => {
    if (!isSeen) return;
    const started = colours;
    void started.start(rows(), path());
    return () => started.stop();
  });
  return { see: () => (isSeen = true), of: (row) => colours.of(row) };
}
