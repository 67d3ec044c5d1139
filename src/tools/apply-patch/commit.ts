import { FaultError, faultOf } from '../../base/fault.ts';
import { hashBytes } from '../../base/hash.ts';
import { ROOT } from '../../base/places.ts';
import type { Files } from '../../workspace/workspace.ts';
import { withModelFaults, relativeToRoot } from '../paths.ts';
import { oneLine } from '../text.ts';
import type { Plan } from './plan.ts';

interface FileOperation {
  readonly path: string;
  run(): Promise<void>;
  undo(): Promise<void>;
}

/**
 * Writes all files of a plan, or none: earlier operations are rolled back when a later one fails. Each succeeds only on
 * the content that the plan was computed from. Returns false where a file has changed.
 */
export async function commit(files: Files, plan: Plan): Promise<boolean> {
  const createdFolders = await missingFolders(files, plan);
  const done: FileOperation[] = [];
  for (const operation of operationsOf(files, plan)) {
    try {
      await withModelFaults(relativeToRoot(operation.path), operation.run);
      done.push(operation);
    } catch (error) {
      await rollBack(files, done, createdFolders, error);
      if (error instanceof FaultError && error.fault.code === 'ECHANGED') return false;
      throw withNothingChanged(error);
    }
  }
  return true;
}

function operationsOf(files: Files, { files: changes, moves }: Plan): FileOperation[] {
  const writes: FileOperation[] = [];
  const renames: FileOperation[] = [];
  const removals: FileOperation[] = [];
  const moved = new Set<string>();
  for (const [from, to] of moves) {
    const source = changes.get(from);
    const target = changes.get(to);
    if (!source?.before.bytes || source.after || !target?.after || target.before.bytes) continue;
    moved.add(from);
    // Only a rename keeps the mode. The old file is written before it is renamed, so that no other file is overwritten.
    if (hashBytes(target.after) !== source.before.hash)
      writes.push(writeOperation(files, from, source.before.bytes, target.after));
    renames.push({
      path: to,
      run: () => files.rename(from, to, { real: true }),
      undo: () => files.rename(to, from, { real: true }),
    });
  }
  for (const [path, { before, after }] of changes) {
    if (after && (!before.bytes || hashBytes(after) !== before.hash))
      writes.push(writeOperation(files, path, before.bytes, after));
    else if (!after && before.bytes && !moved.has(path)) {
      const { bytes } = before;
      removals.push({
        path,
        run: () => files.remove(path, { expect: hashBytes(bytes), real: true }),
        undo: () => files.write(path, bytes, { expect: null, real: true }),
      });
    }
  }
  return [...writes, ...renames, ...removals];
}

function writeOperation(
  files: Files,
  path: string,
  before: Uint8Array | null,
  after: Uint8Array,
): FileOperation {
  const written = hashBytes(after);
  return {
    path,
    run: () => files.write(path, after, { expect: before && hashBytes(before), real: true }),
    async undo() {
      if (before) return files.write(path, before, { expect: written, real: true });
      // A rename that was rolled back may have moved the file away.
      if ((await files.stat(path)) !== null) await files.remove(path, { expect: written, real: true });
    },
  };
}

async function rollBack(
  files: Files,
  done: readonly FileOperation[],
  createdFolders: readonly string[],
  cause: unknown,
): Promise<void> {
  const unrestored: string[] = [];
  for (const operation of done.toReversed()) {
    try {
      await operation.undo();
    } catch {
      unrestored.push(oneLine(relativeToRoot(operation.path)));
    }
  }
  for (const folder of createdFolders) await files.remove(folder).catch(() => undefined);
  if (unrestored.length === 0) return;
  throw new FaultError(
    {
      code: 'half-applied',
      what: `The patch failed (${faultOf(cause).what}), and these files could not be put back as they were: ${unrestored.join(', ')}.`,
      next: 'Read them and repair them.',
    },
    { cause },
  );
}

/** The folders that writing will create, deepest first. */
async function missingFolders(files: Files, plan: Plan): Promise<readonly string[]> {
  const missing = new Set<string>();
  for (const [path, { after }] of plan.files) {
    if (!after) continue;
    for (let folder = parentOf(path); folder.length > ROOT.length; folder = parentOf(folder))
      if (!missing.has(folder) && (await files.stat(folder)) === null) missing.add(folder);
  }
  return [...missing].sort((a, b) => b.length - a.length);
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function withNothingChanged(error: unknown): FaultError {
  const fault = faultOf(error);
  return new FaultError(
    { ...fault, what: `${fault.what} Nothing was changed in any file.` },
    { cause: error },
  );
}
