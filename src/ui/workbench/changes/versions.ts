import type { Hash } from '../../../base/hash.ts';
import type { ChangedPath, FileVersion, ReadVersion } from '../../../workspace/changes/compare.ts';
import { TextChange } from '../../../workspace/changes/text-hunks.ts';
import { ROOT, type Workspace } from '../../../workspace/workspace.ts';
import { changesWords as words } from './changes-words.ts';

/** The largest file whose changes are shown line by line, in bytes. */
const MOST_BYTES = 1_000_000;

/** A file's change as it can be shown. */
export type ShownChange =
  | { readonly kind: 'text'; readonly change: TextChange; readonly after: string }
  | { readonly kind: 'note'; readonly text: string };

/** Reads both versions of files: those of the snapshot from the store, those of now from the workspace. */
export class Versions {
  readonly #workspace: Workspace;
  readonly #stored: (hash: Hash) => Promise<Uint8Array | undefined>;

  constructor(workspace: Workspace, stored: (hash: Hash) => Promise<Uint8Array | undefined>) {
    this.#workspace = workspace;
    this.#stored = stored;
  }

  /** Content of the snapshot. Rejects if it is no longer stored. */
  readonly content = async (hash: Hash): Promise<Uint8Array> => {
    const bytes = await this.#stored(hash);
    if (!bytes) throw new Error(words.contentGone);
    return bytes;
  };

  readonly before: ReadVersion = (version) => this.#read(version, () => this.content(hashOf(version)));

  readonly now: ReadVersion = (version) =>
    this.#read(version, () => this.#workspace.files.read(`${ROOT}/${version.path}`));

  async #read(version: FileVersion, bytes: () => Promise<Uint8Array>): Promise<Uint8Array> {
    return version.type === 'symlink' ? new TextEncoder().encode(version.target) : bytes();
  }

  async shown(change: ChangedPath, sizeText: (bytes: number) => string): Promise<ShownChange> {
    const { before, after } = change;
    const note = (text: string): ShownChange => ({ kind: 'note', text });
    const describe = (version: FileVersion | null) =>
      !version
        ? words.absent
        : version.type === 'symlink'
          ? words.link(version.target)
          : sizeText(version.size);
    if (before?.type === 'symlink' || after?.type === 'symlink')
      return note(words.notText(describe(before), describe(after)));
    if (before && after && before.hash === after.hash)
      return note(change.from === undefined ? words.modeOnly : words.renamedOnly);
    if (Math.max(before?.size ?? 0, after?.size ?? 0) > MOST_BYTES) return note(words.tooLarge);
    const [old, now] = await Promise.all([before && this.before(before), after && this.now(after)]);
    const [oldText, newText] = [textOf(old), textOf(now)];
    if (oldText === null || newText === null) return note(words.notText(describe(before), describe(after)));
    const compared = await TextChange.between(oldText, newText);
    if (!compared) return note(words.tooDifferent);
    if (compared.hunks.length === 0) return note(words.empty);
    return { kind: 'text', change: compared, after: newText };
  }
}

function hashOf(version: FileVersion): Hash {
  return version.type === 'file' ? version.hash : '';
}

/** `null` where the bytes are no text. */
function textOf(bytes: Uint8Array | null): string | null {
  if (!bytes) return '';
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
