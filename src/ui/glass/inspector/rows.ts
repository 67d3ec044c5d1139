import type { Call, Item, Turn } from '../../../session/inspect/timeline-items.ts';
import type { Timeline } from '../../../session/inspect/timeline.ts';

/** A row in the tree of turns, steps and calls. */
export interface InspectorRow {
  readonly path: string;
  readonly level: number;
  /** Absent if the row has no children. */
  readonly expanded?: boolean;
  readonly position: number;
  readonly siblings: number;
  readonly item: Item;
  /** The turn in whose time scale the row's bar is drawn. */
  readonly turn: Turn;
}

/** `shows` selects steps and calls; the rows above a selected one are included. */
export function rowsOf(
  timeline: Timeline,
  collapsed: ReadonlySet<string>,
  shows: ((item: Item) => boolean) | null,
): readonly InspectorRow[] {
  const rows: InspectorRow[] = [];

  function add(items: readonly Item[], turn: Turn, level: number): void {
    items.forEach((item, at) => {
      const below = belowOf(item, timeline).filter((each) => isWanted(each));
      const expanded = below.length > 0 ? !collapsed.has(item.key) : undefined;
      rows.push({
        ...{ path: item.key, level, item, turn, position: at + 1, siblings: items.length },
        ...(expanded !== undefined && { expanded }),
      });
      if (expanded) add(below, turn, level + 1);
    });
  }

  function isWanted(item: Item): boolean {
    if (!shows || shows(item)) return true;
    return belowOf(item, timeline).some(isWanted);
  }

  const turns = timeline.turns.filter(isWanted);
  turns.forEach((turn, at) => {
    const start = rows.length;
    add([turn], turn, 1);
    const row = rows[start];
    if (row) rows[start] = { ...row, position: at + 1, siblings: turns.length };
  });
  return rows;
}

/** Calls that another call made are listed below that one. */
function belowOf(item: Item, timeline: Timeline): readonly Item[] {
  if (item.kind === 'turn') return timeline.childrenOf(item);
  if (item.kind === 'step') return timeline.callsOf(item).filter(({ parent }) => parent === undefined);
  return madeBy(item, timeline);
}

function madeBy(call: Call, timeline: Timeline): readonly Call[] {
  const step = timeline.item(call.of);
  if (step?.kind !== 'step' || step.calls.length < 2) return [];
  return timeline.callsOf(step).filter(({ parent }) => parent === call.callID);
}

/**
 * The path of the newest step or call among the first `events` of the log, which is shown unless the person chose
 * another. Before the first of them, it is that one.
 */
export function newestOf(rows: readonly InspectorRow[], events = Infinity): string | null {
  const isStepOrCall = ({ item }: InspectorRow) => item.kind !== 'turn';
  const newest =
    rows.findLast((row) => isStepOrCall(row) && row.item.seq < events) ??
    rows.find(isStepOrCall) ??
    rows.at(-1);
  return newest?.path ?? null;
}
