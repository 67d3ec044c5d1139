import { FaultError, faultOf } from '../../base/fault.ts';
import { hashBytes } from '../../base/hash.ts';
import { ROOT } from '../../base/places.ts';
import type { Files } from '../../workspace/workspace.ts';
import { inWords, relativeToRoot } from '../places.ts';
import { oneLine } from '../text.ts';
import type { Plan } from './plan.ts';

interface Step {
  readonly path: string;
  run(): Promise<void>;
  undo(): Promise<void>;
}

/**
 * Writes all files of a plan, or none: what was done is taken back where a later file fails. Each step goes through
 * only on the content that the plan was worked out from. False where a file is no longer that.
 */
export async function commit(files: Files, plan: Plan): Promise<boolean> {
  const made = await missingFolders(files, plan);
  const done: Step[] = [];
  for (const step of stepsOf(files, plan)) {
    try {
      await inWords(relativeToRoot(step.path), step.run);
      done.push(step);
    } catch (error) {
      await takeBack(files, done, made, error);
      if (error instanceof FaultError && error.fault.code === 'ECHANGED') return false;
      throw afterwards(error);
    }
  }
  return true;
}

function stepsOf(files: Files, { files: changes, moves }: Plan): Step[] {
  const writes: Step[] = [];
  const renames: Step[] = [];
  const removals: Step[] = [];
  const moved = new Set<string>();
  for (const [from, to] of moves) {
    const source = changes.get(from);
    const target = changes.get(to);
    if (!source?.before.bytes || source.after || !target?.after || target.before.bytes) continue;
    moved.add(from);
    // The mode goes along only with a rename; the name is taken first, so that it writes over nobody's file.
    if (hashBytes(target.after) !== source.before.hash)
      writes.push(writing(files, from, source.before.bytes, target.after));
    renames.push({
      path: to,
      run: () => files.rename(from, to, { real: true }),
      undo: () => files.rename(to, from, { real: true }),
    });
  }
  for (const [path, { before, after }] of changes) {
    if (after && (!before.bytes || hashBytes(after) !== before.hash))
      writes.push(writing(files, path, before.bytes, after));
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

function writing(files: Files, path: string, before: Uint8Array | null, after: Uint8Array): Step {
  const written = hashBytes(after);
  return {
    path,
    run: () => files.write(path, after, { expect: before && hashBytes(before), real: true }),
    async undo() {
      if (before) return files.write(path, before, { expect: written, real: true });
      // A rename that was taken back has taken it along.
      if ((await files.stat(path)) !== null) await files.remove(path, { expect: written, real: true });
    },
  };
}

async function takeBack(
  files: Files,
  done: readonly Step[],
  made: readonly string[],
  cause: unknown,
): Promise<void> {
  const left: string[] = [];
  for (const step of done.toReversed()) {
    try {
      await step.undo();
    } catch {
      left.push(oneLine(relativeToRoot(step.path)));
    }
  }
  for (const folder of made) await files.remove(folder).catch(() => undefined);
  if (left.length === 0) return;
  throw new FaultError(
    {
      code: 'half-applied',
      what: `The patch failed (${faultOf(cause).what}), and these files could not be put back as they were: ${left.join(', ')}.`,
      next: 'Read them and repair them.',
    },
    { cause },
  );
}

/** Folders that writing makes, the deepest first. */
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

function afterwards(error: unknown): FaultError {
  const fault = faultOf(error);
  return new FaultError(
    { ...fault, what: `${fault.what} Nothing was changed in any file.` },
    { cause: error },
  );
}
