import { FaultError } from '../../base/fault.ts';
import type { JsonObject } from '../../base/json.ts';
import {
  editableText,
  keepByteOrderMark,
  assertRead,
  assertWritable,
  readContent,
  replacedText,
  type FileContent,
} from '../change.ts';
import { diffOf } from '../diff.ts';
import { isBinary } from '../decode.ts';
import { resolveWritable, type ResolvedPath } from '../paths.ts';
import { oneLine } from '../text.ts';
import type { ToolContext } from '../tool.ts';
import { derive } from './derive.ts';
import type { FileChange } from './parse.ts';

type ResolvedFile = ResolvedPath & { kind: 'file' };

export interface ResolvedChange {
  readonly change: FileChange;
  readonly source: ResolvedFile;
  readonly target?: ResolvedFile;
}

/** The effect of a patch on the files as they are now. */
export interface Plan {
  /** Maps real paths to the content before and after; `null` where there is no file. */
  readonly files: ReadonlyMap<string, { readonly before: FileContent; readonly after: Uint8Array | null }>;
  /** Maps old to new real paths of files that move. */
  readonly moves: ReadonlyMap<string, string>;
  readonly diff: string;
  readonly shown: readonly ShownFile[];
}

/** One file of the patch, as the card shows it. */
export interface ShownFile extends JsonObject {
  readonly filePath: string;
  readonly relativePath: string;
  readonly type: 'add' | 'update' | 'delete' | 'move';
  readonly patch: string;
  readonly additions: number;
  readonly deletions: number;
}

export async function resolveChanges(
  context: ToolContext,
  changes: readonly FileChange[],
): Promise<ResolvedChange[]> {
  const result: ResolvedChange[] = [];
  for (const change of changes) {
    const source = await resolveWritable(context, change.path);
    const moveTo = change.kind === 'update' ? change.moveTo : undefined;
    const target = moveTo === undefined ? undefined : await resolveWritable(context, moveTo);
    result.push({ change, source, ...(target && target.path !== source.path && { target }) });
  }
  return result;
}

/** Throws a fault where the patch does not match a file; writes nothing. */
export async function planOf(context: ToolContext, changes: readonly ResolvedChange[]): Promise<Plan> {
  const before = new Map<string, FileContent>();
  const after = new Map<string, Uint8Array | null>();
  const moves = new Map<string, string>();
  const shown: ShownFile[] = [];
  const diffs: string[] = [];
  const content = async (path: string): Promise<Uint8Array | null> => {
    if (!before.has(path)) before.set(path, await readContent(context, path));
    return after.has(path) ? (after.get(path) ?? null) : (before.get(path)?.bytes ?? null);
  };

  for (const { change, source, target } of changes) {
    const name = oneLine(source.title);
    const bytes = await content(source.path);
    const to = target ?? source;
    let old: string | null;
    let text: string | null;
    // A move overwrites its target, as this format defines it; the diff shows the person what is lost.
    const replaced = target ? await content(target.path) : null;
    if (change.kind !== 'delete')
      for (const each of [source, to]) assertWritable(before.get(each.path), each.title);
    if (change.kind === 'add') {
      const present = before.get(source.path);
      if (present && bytes !== null) assertRead(context, present, source.path, source.title);
      old = readable(source.path, bytes);
      text = keepByteOrderMark(old, change.lines.map((line) => `${line}\n`).join(''));
    } else if (bytes === null) throw missing(name);
    else if (change.kind === 'delete') {
      old = readable(source.path, bytes);
      text = null;
    } else {
      const pure = change.chunks.length === 0;
      old = pure ? readable(source.path, bytes) : editableText(bytes, source.title);
      text = pure ? old : derive(old ?? '', change.chunks, name);
      if (target) moves.set(source.path, target.path);
      after.set(source.path, null);
      after.set(to.path, pure ? bytes : encode(text));
    }
    if (change.kind !== 'update') after.set(source.path, encode(text));
    const { patch, additions, deletions } = await diffOf(to.title, old, text, source.title);
    const type = target ? 'move' : change.kind === 'add' && old !== null ? 'update' : change.kind;
    const file: ShownFile = {
      filePath: source.path,
      relativePath: source.title,
      type,
      patch,
      additions,
      deletions,
      ...(target && { movePath: target.title }),
    };
    if (old === text && !target) continue;
    const all = target && replaced ? [await removalOf(target, replaced), file] : [file];
    shown.push(...all);
    diffs.push(...all.map((each) => each.patch));
  }

  const files = new Map(
    [...before].map(([path, present]) => {
      const bytes = after.has(path) ? (after.get(path) ?? null) : present.bytes;
      return [path, { before: present, after: bytes }] as const;
    }),
  );
  return { files, moves, diff: diffs.join(''), shown };
}

async function removalOf({ path, title }: ResolvedFile, bytes: Uint8Array): Promise<ShownFile> {
  const { patch, additions, deletions } = await diffOf(title, readable(path, bytes), null);
  return { filePath: path, relativePath: title, type: 'delete', patch, additions, deletions };
}

/** The text for the diff; '' for a binary file. */
function readable(path: string, bytes: Uint8Array | null): string | null {
  return bytes && isBinary(path, bytes) ? '' : replacedText(bytes);
}

function encode(text: string | null): Uint8Array | null {
  return text === null ? null : new TextEncoder().encode(text);
}

function missing(name: string): FaultError {
  return new FaultError({
    code: 'not-found',
    what: `There is no file ${name}. Nothing was changed in any file.`,
    next: 'Look for it with glob, or create it with "*** Add File: …".',
  });
}
