import { FaultError } from '../../base/fault.ts';
import type { JsonObject } from '../../base/json.ts';
import { editableText, mustBeSeen, presentAt, replacedText, type Present } from '../change.ts';
import { diffOf } from '../diff.ts';
import { isBinary } from '../decode.ts';
import { changeablePlace, type Place } from '../places.ts';
import { oneLine } from '../text.ts';
import type { ToolContext } from '../tool.ts';
import { derive } from './derive.ts';
import type { FileChange } from './parse.ts';

type FilePlace = Place & { kind: 'file' };

export interface PlacedChange {
  readonly change: FileChange;
  readonly place: FilePlace;
  readonly target?: FilePlace;
}

/** What the patch comes to, worked out on the files as they are now. */
export interface Plan {
  /** By real path: what was there, and what is to be there; `null` where nothing is. */
  readonly files: ReadonlyMap<string, { readonly before: Present; readonly after: Uint8Array | null }>;
  /** Files that move, from real path to real path. */
  readonly moves: ReadonlyMap<string, string>;
  readonly diff: string;
  readonly shown: readonly ShownFile[];
}

/** One file of the patch, for the card and the person. */
export interface ShownFile extends JsonObject {
  readonly filePath: string;
  readonly relativePath: string;
  readonly type: 'add' | 'update' | 'delete' | 'move';
  readonly patch: string;
  readonly additions: number;
  readonly deletions: number;
}

export async function placed(context: ToolContext, changes: readonly FileChange[]): Promise<PlacedChange[]> {
  const result: PlacedChange[] = [];
  for (const change of changes) {
    const place = await changeablePlace(context, change.path);
    const moveTo = change.kind === 'update' ? change.moveTo : undefined;
    const target = moveTo === undefined ? undefined : await changeablePlace(context, moveTo);
    result.push({ change, place, ...(target && target.path !== place.path && { target }) });
  }
  return result;
}

/** Throws a fault where any file does not fit; nothing is written. */
export async function planOf(context: ToolContext, changes: readonly PlacedChange[]): Promise<Plan> {
  const before = new Map<string, Present>();
  const after = new Map<string, Uint8Array | null>();
  const moves = new Map<string, string>();
  const shown: ShownFile[] = [];
  const diffs: string[] = [];
  const content = async (path: string): Promise<Uint8Array | null> => {
    if (!before.has(path)) before.set(path, await presentAt(context, path));
    return after.has(path) ? (after.get(path) ?? null) : (before.get(path)?.bytes ?? null);
  };

  for (const { change, place, target } of changes) {
    const name = oneLine(place.title);
    const bytes = await content(place.path);
    const to = target ?? place;
    let old: string | null;
    let text: string | null;
    if (change.kind === 'add') {
      const present = before.get(place.path);
      if (present && bytes !== null) mustBeSeen(context, present, place.path, place.title);
      old = readable(place.path, bytes);
      text = change.lines.map((line) => `${line}\n`).join('');
    } else if (bytes === null) throw missing(name);
    else if (change.kind === 'delete') {
      old = readable(place.path, bytes);
      text = null;
    } else {
      if (target && (await content(target.path)) !== null) throw taken(oneLine(target.title));
      const pure = change.chunks.length === 0;
      old = pure ? readable(place.path, bytes) : editableText(bytes, place.title);
      text = pure ? old : derive(old ?? '', change.chunks, name);
      if (target) moves.set(place.path, target.path);
      after.set(place.path, null);
      after.set(to.path, pure ? bytes : encode(text));
    }
    if (change.kind !== 'update') after.set(place.path, encode(text));
    const { patch, additions, deletions } = await diffOf(to.title, old, text, place.title);
    const type = target ? 'move' : change.kind === 'add' && old !== null ? 'update' : change.kind;
    const file: ShownFile = {
      filePath: place.path,
      relativePath: place.title,
      type,
      patch,
      additions,
      deletions,
      ...(target && { movePath: target.title }),
    };
    if (old === text && !target) continue;
    shown.push(file);
    diffs.push(patch);
  }

  const files = new Map(
    [...before].map(([path, present]) => {
      const bytes = after.has(path) ? (after.get(path) ?? null) : present.bytes;
      return [path, { before: present, after: bytes }] as const;
    }),
  );
  return { files, moves, diff: diffs.join(''), shown };
}

/** For the diff; there is nothing to see in a binary file. */
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

function taken(name: string): FaultError {
  return new FaultError({
    code: 'target-exists',
    what: `${name}, where the patch moves a file to, exists already. Nothing was changed in any file.`,
    next: 'Move it to another name, or delete that file first.',
  });
}
