import type { SnapshotEntry } from '../../workspace/workspace.ts';
import type { TurnStatus } from '../log/events.ts';
import { spentWithTasks } from '../log/spent.ts';
import type { SessionState } from '../log/state.ts';

/** The figures of a session, for comparison with another one. */
export interface Summary {
  /** `null` while the session or one of its sub-agents works. */
  readonly status: TurnStatus | null;
  readonly steps: number;
  /** Calls that the model made itself; nested calls are not counted. */
  readonly calls: number;
  /** How many of those calls did not succeed. */
  readonly failed: number;
  /** These tokens, and the cost, include sub-agents whose work has ended. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; `null` if no price is known. */
  readonly cost: number | null;
  /** From the first prompt to the last event, in milliseconds; waiting for the person counts too. */
  readonly time: number;
}

/** Steps and calls are counted in the loaded messages only. */
export function summaryOf(state: SessionState): Summary {
  const messages = [...state.messages.values()];
  const calls = [...state.parts.values()].filter(
    (part) => part.type === 'tool' && part.parent === undefined && part.raw !== '',
  );
  const { usage, cost } = spentWithTasks(state);
  const began = messages[0]?.created ?? state.created;
  return {
    status: isWorking(state) ? null : (state.lastTurn?.status ?? null),
    steps: messages.filter(({ role, purpose }) => role === 'assistant' && !purpose).length,
    calls: calls.length,
    failed: calls.filter((part) => part.type === 'tool' && part.outcome && part.outcome !== 'ok').length,
    inputTokens: usage.inputTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
    cost: cost ?? null,
    time: messages.length === 0 ? 0 : Math.max(0, state.updated - began),
  };
}

/**
 * Whether the session or a sub-agent still works: one in the background still adds to the session's figures.
 */
function isWorking({ turn, tasks }: SessionState): boolean {
  return turn !== null || tasks.some(({ state }) => state === 'running');
}

export type FileChange = 'same' | 'created' | 'changed' | 'removed';

/** A path that at least one of the two sides changed. */
export interface ComparedFile {
  readonly path: string;
  readonly a: FileChange;
  readonly b: FileChange;
  /** Both sides have the same content at this path. */
  readonly equal: boolean;
}

type Entries = readonly SnapshotEntry[];

/** How files and links changed on either side, sorted by path. Folders and times are ignored. */
export function comparedFiles(start: Entries, a: Entries, b: Entries): readonly ComparedFile[] {
  const [before, inA, inB] = [start, a, b].map(contents);
  if (!before || !inA || !inB) return [];
  return [...new Set([...before.keys(), ...inA.keys(), ...inB.keys()])]
    .filter((path) => inA.get(path) !== before.get(path) || inB.get(path) !== before.get(path))
    .sort()
    .map((path) => ({
      path,
      a: change(before.get(path), inA.get(path)),
      b: change(before.get(path), inB.get(path)),
      equal: inA.get(path) === inB.get(path),
    }));
}

function contents(entries: Entries): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap((entry): [string, string][] => {
      if (entry.type === 'directory' || entry.type === 'ignored') return [];
      return [[entry.path, entry.type === 'file' ? entry.hash : `-> ${entry.target}`]];
    }),
  );
}

function change(before: string | undefined, after: string | undefined): FileChange {
  if (before === after) return 'same';
  if (before === undefined) return 'created';
  return after === undefined ? 'removed' : 'changed';
}
