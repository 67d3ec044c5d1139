import { hashBytes, type Hash } from '../../../../../base/hash.ts';
import type { WorkspaceEdit } from '../../../../../language/language.ts';
import { withEdits } from '../../../../../tools/lsp/with-edits.ts';
import { WorkspaceError } from '../../../../../workspace/workspace.ts';
import { showName } from '../../../show-name.ts';
import { shortPath } from '../../paths.ts';
import type { CodeHost } from './code-host.ts';
import { codeWords as words } from './code-words.ts';

interface Change {
  readonly path: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** The hash of what is expected to be there. */
  readonly hash: Hash;
}

/** Changes all files or none. Returns why nothing was changed, or null. */
export async function applyRename(host: CodeHost, edit: WorkspaceEdit): Promise<string | null> {
  const changes: Change[] = [];
  for (const { path, hash, edits } of edit.files) {
    const before = await host.files.read(path);
    if (hash === null || hashBytes(before) !== hash) return words.changed(shown(path));
    // Kept as a character, a byte order mark stays.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(before);
    changes.push({ path, before, hash, after: new TextEncoder().encode(withEdits(text, edits)) });
  }
  const done: Change[] = [];
  for (const change of changes) {
    try {
      await write(host, change.path, change.after, change.hash);
      done.push(change);
    } catch (error) {
      const kept = await putBack(host, done);
      if (kept.length > 0) return words.halfDone(kept.map(shown).join(', '));
      if (error instanceof WorkspaceError && error.code === 'ECHANGED')
        return words.changed(shown(change.path));
      throw error;
    }
  }
  return null;
}

/** Returns the paths of the files that could not be put back. */
async function putBack(host: CodeHost, done: readonly Change[]): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const { path, before, after } of done)
    await write(host, path, before, hashBytes(after)).catch(() => kept.push(path));
  return kept;
}

function write(host: CodeHost, path: string, bytes: Uint8Array, expect: Hash): Promise<void> {
  return host.own(path, () => host.files.write(path, bytes, { expect }));
}

function shown(path: string): string {
  return showName(shortPath(path));
}
