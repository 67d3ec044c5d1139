import { grouped } from '../../../base/grouped.ts';
import type { SessionRecord } from '../../../session/log/store.ts';
import type { WorkspaceSummary } from '../../app.ts';
import type { TreeRow } from '../../kit/tree/tree-keys.ts';
import { sessionWords as words } from './session-words.ts';

/** A group of the list: a workspace, or what is pinned in any of them. */
export interface Group {
  readonly id: string;
  readonly name: string;
  /** Absent for the pinned sessions. */
  readonly workspace?: WorkspaceSummary;
  readonly sessions: readonly SessionRecord[];
}

/** The head of a group; `path` names a row. */
export interface HeadRow extends TreeRow {
  readonly kind: 'head';
  readonly group: Group;
  readonly expanded: boolean;
}

export interface SessionLine extends TreeRow {
  readonly kind: 'session';
  readonly group: Group;
  readonly record: SessionRecord;
}

export type ListRow = HeadRow | SessionLine;

export interface ListParts {
  readonly workspaces: readonly WorkspaceSummary[];
  /** Sessions without a parent in the list, in their order. */
  readonly sessions: readonly SessionRecord[];
  childrenOf(id: string): readonly SessionRecord[];
  /** Whether the archived sessions are listed, in place of the others. */
  readonly archived: boolean;
  /** The ids of the groups that are folded. */
  readonly folded: ReadonlySet<string>;
  readonly shownID: string | undefined;
}

export const PINNED = 'pinned';

/** The rows of the list of sessions from top to bottom, without those that are folded away. */
export function rowsOf(parts: ListParts): readonly ListRow[] {
  const groups = groupsOf(parts);
  return groups.flatMap((group, index): ListRow[] => {
    const expanded = !parts.folded.has(group.id);
    const head: HeadRow = {
      kind: 'head',
      path: `group ${group.id}`,
      level: 1,
      position: index + 1,
      siblings: groups.length,
      group,
      expanded,
    };
    return expanded ? [head, ...linesOf(parts, group, group.sessions, 2)] : [head];
  });
}

function groupsOf({ workspaces, sessions, archived }: ListParts): readonly Group[] {
  const listed = sessions.filter(({ marks }) => (marks?.archived ?? false) === archived);
  const isPinned = ({ marks }: SessionRecord) => !archived && marks?.pinned === true;
  const pinned = listed.filter(isPinned);
  const byWorkspace = grouped(
    listed.filter((record) => !isPinned(record)),
    ({ state }) => state.workspaceID,
  );
  const groups = workspaces.map((workspace): Group => {
    const { id, name } = workspace;
    return { id, name, workspace, sessions: byWorkspace.get(id) ?? [] };
  });
  return [
    ...(pinned.length > 0 ? [{ id: PINNED, name: words.pinned, sessions: pinned }] : []),
    ...(archived ? groups.filter((group) => group.sessions.length > 0) : groups),
  ];
}

/** The sessions of sub-agents are listed while one of the family is shown. */
function linesOf(
  parts: ListParts,
  group: Group,
  records: readonly SessionRecord[],
  level: number,
): readonly SessionLine[] {
  return records.flatMap((record, index): SessionLine[] => {
    const line: SessionLine = {
      kind: 'session',
      path: record.id,
      level,
      position: index + 1,
      siblings: records.length,
      group,
      record,
    };
    const children = parts.childrenOf(record.id);
    const isOpen =
      children.length > 0 && (record.id === parts.shownID || children.some(({ id }) => id === parts.shownID));
    return isOpen ? [line, ...linesOf(parts, group, children, level + 1)] : [line];
  });
}
