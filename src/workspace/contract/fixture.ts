import { onTestFinished } from 'vitest';
import { hashBytes, type Hash } from '../../base/hash.ts';
import type { SnapshotSink, Workspace } from '../workspace.ts';

export interface Fixture {
  /** A fresh, empty workspace. */
  readonly workspace: Workspace;
  /** Opens the workspace again with its stored files, as a reload of the page would. The first one is gone by then. */
  reopen(): Promise<Workspace>;
  /** False where workers share the tests' thread: code that never yields cannot be ended there. */
  readonly terminable: boolean;
  /** The shell that runs commands: `jsh` has Node, but few of bash's tools. */
  readonly shell: 'bash' | 'jsh';
}

/** A command that does nothing for this many seconds. */
export function sleep({ shell }: Fixture, seconds: number): string {
  return shell === 'bash' ? `sleep ${seconds}` : `node -e "setTimeout(() => {}, ${seconds * 1000})"`;
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export async function textAt(workspace: Workspace, path: string): Promise<string> {
  return new TextDecoder().decode(await workspace.files.read(path));
}

export async function put(workspace: Workspace, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) await workspace.files.write(path, bytesOf(text));
}

/** Makes a workspace that is closed when the test is over. */
export async function fresh(make: () => Promise<Fixture>): Promise<Fixture> {
  const fixture = await make();
  onTestFinished(() => fixture.workspace.close());
  return fixture;
}

/** Makes a workspace that keeps commands within limits. Skips the test where it only tells which files they could reach. */
export async function withLimits(make: () => Promise<Fixture>, skip: () => never): Promise<Workspace> {
  const { workspace } = await fresh(make);
  return workspace.exposed ? skip() : workspace;
}

/** A sink that counts the contents put into it. */
export class MemorySink implements SnapshotSink {
  readonly contents = new Map<Hash, Uint8Array>();

  async missing(hashes: readonly Hash[]): Promise<readonly Hash[]> {
    return hashes.filter((hash) => !this.contents.has(hash));
  }

  async put(hash: Hash, bytes: Uint8Array): Promise<void> {
    if (hashBytes(bytes) !== hash) throw new Error('content under a wrong hash');
    this.contents.set(hash, bytes);
  }

  get = async (hash: Hash): Promise<Uint8Array> => {
    const bytes = this.contents.get(hash);
    if (!bytes) throw new Error(`no content ${hash}`);
    return bytes;
  };
}
