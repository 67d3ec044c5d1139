import { digestBytes, type Hash } from '../../../../base/hash.ts';
import { grouped } from '../../../../base/grouped.ts';
import { WorkspaceError, type Workspace } from '../../../../workspace/workspace.ts';
import type { Match } from './matches.ts';
import { replacedText, type ChosenLine, type Replacement } from './replacement.ts';

export type LeftWhy = 'changed' | 'unsaved' | 'not-text' | 'failed';

/** A file that was not changed, and why. */
export interface Left {
  readonly path: string;
  readonly why: LeftWhy;
}

export interface Replaced {
  readonly matches: number;
  readonly files: number;
  readonly left: readonly Left[];
  /** Makes all of the files as they were; resolves to those that were changed since, and stay. */
  readonly undo: () => Promise<readonly Left[]>;
}

export interface ReplacingDeps {
  readonly workspace: Workspace;
  /** Whether the file is open with edits that are not saved. */
  readonly unsaved: (path: string) => boolean;
  /** Runs a change that the person makes to the file. */
  readonly own: <T>(path: string, change: () => Promise<T>) => Promise<T>;
}

interface Written {
  readonly path: string;
  readonly before: Uint8Array;
  readonly after: Hash;
}

/** Replaces matches, one file after the other. A file that is not what the person saw is left as it is. */
export async function replaceMatches(
  deps: ReplacingDeps,
  matches: readonly Match[],
  replacement: Replacement,
): Promise<Replaced> {
  const written: Written[] = [];
  const left: Left[] = [];
  let count = 0;
  for (const [path, own] of grouped(matches, (match) => match.path)) {
    const done = deps.unsaved(path) ? 'unsaved' : await replaceIn(deps, path, own, replacement);
    if (typeof done === 'string') left.push({ path, why: done });
    else {
      written.push(done);
      count += own.length;
    }
  }
  if (written.length > 0) await deps.workspace.durable();
  return { matches: count, files: written.length, left, undo: () => putBack(deps, written) };
}

async function replaceIn(
  { workspace, own }: ReplacingDeps,
  path: string,
  matches: readonly Match[],
  replacement: Replacement,
): Promise<Written | LeftWhy> {
  try {
    const before = await workspace.files.read(path);
    const text = decoded(before);
    if (text === null) return 'not-text';
    const changed = replacedText(text, chosenLines(matches), replacement);
    if (changed === null) return 'changed';
    const after = new TextEncoder().encode(changed);
    const expect = await digestBytes(before);
    await own(path, () => workspace.files.write(path, after, { expect }));
    return { path, before, after: await digestBytes(after) };
  } catch (error) {
    return whyOf(error);
  }
}

async function putBack(
  { workspace, own, unsaved }: ReplacingDeps,
  written: readonly Written[],
): Promise<readonly Left[]> {
  const left: Left[] = [];
  for (const { path, before, after } of written) {
    try {
      if (unsaved(path)) left.push({ path, why: 'unsaved' });
      else await own(path, () => workspace.files.write(path, before, { expect: after }));
    } catch (error) {
      left.push({ path, why: whyOf(error) });
    }
  }
  await workspace.durable();
  return left;
}

function whyOf(error: unknown): LeftWhy {
  const code = error instanceof WorkspaceError ? error.code : null;
  return code === 'ECHANGED' || code === 'ENOENT' ? 'changed' : 'failed';
}

function chosenLines(matches: readonly Match[]): ReadonlyMap<number, ChosenLine> {
  const lines = new Map<number, ChosenLine>();
  for (const [line, own] of grouped(matches, (match) => match.line))
    lines.set(line, { text: own[0].text, matches: new Set(own.map(({ nth }) => nth)) });
  return lines;
}

/** Null for what is not UTF-8 from the first to the last byte: writing it would change more than the matches. */
function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
