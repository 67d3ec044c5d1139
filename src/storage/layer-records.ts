import type { Fault } from '../base/fault.ts';
import type { NodeMeta, PackEntry } from '../protocol/journal.ts';
import { storageFault } from './faults.ts';
import type { Layer } from './layers.ts';

/**
 * Returns the well-formed layers; the others are reported and left in place. Checked by hand instead of by a schema,
 * since this looks at every file of a workspace before its first read answers.
 */
export function readableLayers(
  keys: readonly number[],
  rows: readonly unknown[],
  onProblem: (fault: Fault) => void,
): Layer[] {
  return rows.flatMap((row, index) => {
    const field = damagedField(row);
    if (field === undefined && isLayer(row)) return [row];
    onProblem(
      storageFault(
        'record-damaged',
        'A part of the stored files of a workspace is damaged; the files in it are missing.',
        `files ${keys[index]} ${field ?? ''}`.trim(),
      ),
    );
    return [];
  });
}

function isLayer(row: unknown): row is Layer {
  return damagedField(row) === undefined;
}

function damagedField(row: unknown): string | undefined {
  if (!isObject(row)) return 'record';
  const { bytes, entries, removed } = row;
  if (!(bytes instanceof Uint8Array)) return 'bytes';
  if (!Array.isArray(removed) || !removed.every((path) => typeof path === 'string')) return 'removed';
  if (!Array.isArray(entries)) return 'entries';
  const bad = entries.findIndex((entry) => !isEntry(entry, bytes.length));
  return bad === -1 ? undefined : `entries[${bad}]`;
}

const TYPES: readonly unknown[] = ['file', 'directory', 'symlink'] satisfies NodeMeta['type'][];

function isEntry(entry: unknown, end: number): entry is PackEntry {
  if (!isObject(entry)) return false;
  const { path, type, mode, modified, offset, length, target, twin, stored } = entry;
  return (
    typeof path === 'string' &&
    TYPES.includes(type) &&
    typeof mode === 'number' &&
    typeof modified === 'number' &&
    typeof offset === 'number' &&
    typeof length === 'number' &&
    offset >= 0 &&
    length >= 0 &&
    offset + length <= end &&
    (target === undefined || typeof target === 'string') &&
    (twin === undefined || typeof twin === 'number') &&
    (stored === undefined || isStored(stored))
  );
}

function isStored(stored: unknown): boolean {
  return isObject(stored) && typeof stored['hash'] === 'string' && typeof stored['size'] === 'number';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
