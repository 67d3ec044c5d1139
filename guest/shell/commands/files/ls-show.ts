import { valueOf, type Options } from '../../kit/options.ts';
import type { FsStat } from '../../shell-fs.ts';

/** The number of spaces between two columns. */
const GAP = 2;

/** A name with its colour codes, and its width without them. */
export interface Shown {
  readonly text: string;
  readonly width: number;
}

/** Arranges names in columns, filled from top to bottom, in as few rows as fit. */
export function inColumns(names: readonly Shown[], width: number): string {
  for (let rows = 1; ; rows++) {
    const columns = Math.ceil(names.length / rows);
    const widths = Array.from({ length: columns }, (_, column) =>
      Math.max(...names.slice(column * rows, (column + 1) * rows).map((name) => name.width)),
    );
    const whole = widths.reduce((sum, each) => sum + each + GAP, -GAP);
    // Fewer rows may leave columns empty that more rows fill.
    if (columns > 1 && whole > width) continue;
    return Array.from({ length: Math.min(rows, names.length) }, (_, row) => {
      const shown = widths.flatMap((_width, column) => names[column * rows + row] ?? []);
      return shown
        .map(({ text, width: own }, column) =>
          column === shown.length - 1 ? text : text + ' '.repeat((widths[column] ?? 0) - own + GAP),
        )
        .join('')
        .concat('\n');
    }).join('');
  }
}

const PACKED = /\.(?:tar|tgz|gz|zip|bz2|xz|zst|7z|rar|jar)$/i;

/** Whether names are coloured: always, never, or on a terminal. */
export function wantsColours(options: Options, isTerminal: boolean): boolean {
  const when = valueOf(options, 'color');
  if (when === undefined) return false;
  return (
    when === '' || /^(?:always|yes|force)$/.test(when) || (isTerminal && /^(?:auto|tty|if-tty)$/.test(when))
  );
}

/** Colours a name: folders blue, links cyan, executable files green, archives red. */
export function coloured(name: string, { isDirectory, isSymbolicLink, mode }: FsStat): string {
  const colour = isSymbolicLink
    ? '01;36'
    : isDirectory
      ? '01;34'
      : (mode & 0o111) !== 0
        ? '01;32'
        : PACKED.test(name)
          ? '01;31'
          : undefined;
  return colour === undefined ? name : `\x1b[${colour}m${name}\x1b[0m`;
}
