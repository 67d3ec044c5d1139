import type { Hash } from '../../../base/hash.ts';
import { takeSnapshot } from '../../../workspace/snapshot.ts';
import type { Workspace } from '../../../workspace/workspace.ts';

/** With more files or bytes, no copy of them is held: it would take long, and memory as long as the page is open. */
export const OPENING_LIMITS = { files: 2_000, bytes: 20_000_000 } as const;

/** The files as they were when the page opened a workspace. */
export interface OpeningFiles {
  readonly manifest: Hash;
  /** The list and the contents. */
  readonly contents: ReadonlyMap<Hash, Uint8Array<ArrayBuffer>>;
}

const opened = new WeakMap<Workspace, Promise<OpeningFiles | null>>();

/**
 * The files of a workspace as they were at the first call for it, held in memory, so that changes can be shown to a person
 * who never asks the agent. `null` where there are too many, or where they cannot be read. Never rejects.
 */
export function openingFiles(workspace: Workspace): Promise<OpeningFiles | null> {
  const known = opened.get(workspace) ?? copied(workspace).catch(() => null);
  opened.set(workspace, known);
  return known;
}

async function copied(workspace: Workspace): Promise<OpeningFiles | null> {
  const contents = new Map<Hash, Uint8Array<ArrayBuffer>>();
  let bytes = 0;
  const manifest = await takeSnapshot(workspace, {
    missing: async (hashes) => {
      if (hashes.length > OPENING_LIMITS.files) throw new Error('There are too many files.');
      return hashes;
    },
    put: async (hash, content) => {
      bytes += content.length;
      if (bytes > OPENING_LIMITS.bytes) throw new Error('The files are too large.');
      contents.set(hash, content.slice());
    },
  });
  return manifest === undefined ? null : { manifest, contents };
}
