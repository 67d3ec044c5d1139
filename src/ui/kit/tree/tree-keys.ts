/** The parts of a tree's row that its keys depend on. */
interface TreeLine {
  readonly path: string;
  readonly level: number;
  /** Absent if the row has no children. */
  readonly expanded?: boolean | undefined;
}

export interface TreeRow extends TreeLine {
  /** The place among the row's siblings, from 1. */
  readonly position: number;
  readonly siblings: number;
}

export type TreeAction =
  | { readonly do: 'activate' | 'expand' | 'collapse' | 'open' | 'rename' | 'delete'; readonly path: string }
  | { readonly do: 'nothing' };

const PAGE = 10;

/**
 * The action of a key, after the ARIA pattern for trees; null if the tree does not use the key. The caller
 * collects typed letters, since that needs a clock.
 */
export function treeKey(key: string, rows: readonly TreeLine[], active: string | null): TreeAction | null {
  const at = Math.max(
    rows.findIndex(({ path }) => path === active),
    0,
  );
  const row = rows[at];
  if (!row) return null;
  const go = (index: number): TreeAction => {
    const target = rows[Math.min(Math.max(index, 0), rows.length - 1)] ?? row;
    return { do: 'activate', path: target.path };
  };
  switch (key) {
    case 'ArrowDown':
      return go(at + 1);
    case 'ArrowUp':
      return go(at - 1);
    case 'PageDown':
      return go(at + PAGE);
    case 'PageUp':
      return go(at - PAGE);
    case 'Home':
      return go(0);
    case 'End':
      return go(rows.length - 1);
    case 'ArrowRight':
      if (row.expanded === false) return { do: 'expand', path: row.path };
      return row.expanded && rows[at + 1]?.level === row.level + 1 ? go(at + 1) : { do: 'nothing' };
    case 'ArrowLeft':
      return row.expanded ? { do: 'collapse', path: row.path } : toParent(rows, at);
    case 'Enter':
    case ' ':
      if (row.expanded === undefined) return { do: 'open', path: row.path };
      return { do: row.expanded ? 'collapse' : 'expand', path: row.path };
    case 'F2':
      return { do: 'rename', path: row.path };
    case 'Delete':
      return { do: 'delete', path: row.path };
    default:
      return null;
  }
}

function toParent(rows: readonly TreeLine[], at: number): TreeAction {
  const level = rows[at]?.level ?? 1;
  for (let above = at - 1; above >= 0; above -= 1) {
    const row = rows[above];
    if (row && row.level < level) return { do: 'activate', path: row.path };
  }
  return { do: 'nothing' };
}

/** The next row whose name begins with the typed text. One letter repeated moves to the next match. */
export function typeAhead(
  typed: string,
  rows: readonly (TreeLine & { readonly name: string })[],
  active: string | null,
): string | null {
  const from = Math.max(
    rows.findIndex(({ path }) => path === active),
    0,
  );
  const repeated = typed.length > 1 && [...typed].every((letter) => letter === typed[0]);
  const prefix = (repeated ? (typed[0] ?? '') : typed).toLocaleLowerCase();
  const start = typed.length === 1 || repeated ? from + 1 : from;
  for (let step = 0; step < rows.length; step += 1) {
    const row = rows[(start + step) % rows.length];
    if (row?.name.toLocaleLowerCase().startsWith(prefix)) return row.path;
  }
  return null;
}
