import type { SnapshotEntry } from '../../workspace/workspace.ts';
import type { TurnStatus } from '../events.ts';
import { spentWithTasks } from '../spent.ts';
import type { SessionState } from '../state.ts';

/** What a session came to, in figures that can stand beside those of another. */
export interface Summary {
  /** `null` while it works, or somebody works for it. */
  readonly status: TurnStatus | null;
  readonly steps: number;
  /** That the model made. */
  readonly calls: number;
  /** Of those, all that did not end well. */
  readonly failed: number;
  /** With those of its sub-agents that came to an end; the cost too. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; `null` where no price is known. */
  readonly cost: number | null;
  /** From the first prompt to the last thing that happened, milliseconds; waits for the person are in it. */
  readonly time: number;
}

/** Of the messages that are loaded. */
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

/** What a sub-agent in the background comes to goes on with its session. */
function isWorking({ turn, tasks }: SessionState): boolean {
  return turn !== null || tasks.some(({ state }) => state === 'running');
}

export type FileChange = 'same' | 'created' | 'changed' | 'removed';

/** A path that at least one of two sides left otherwise than it was. */
export interface ComparedFile {
  readonly path: string;
  readonly a: FileChange;
  readonly b: FileChange;
  /** Both left the same there. */
  readonly equal: boolean;
}

type Entries = readonly SnapshotEntry[];

/** What became of files and links on either side, by path. Folders and times are not looked at. */
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
      if (entry.type === 'directory') return [];
      return [[entry.path, entry.type === 'file' ? entry.hash : `-> ${entry.target}`]];
    }),
  );
}

function change(before: string | undefined, after: string | undefined): FileChange {
  if (before === after) return 'same';
  if (before === undefined) return 'created';
  return after === undefined ? 'removed' : 'changed';
}
