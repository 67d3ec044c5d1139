import { isExecutable, kindOf, type ChangedPath, type FileVersion, type ReadVersion } from './compare.ts';
import { sharedPart } from './similar.ts';

/**
 * Makes a patch that `git apply` takes: text as unified diffs, other files as binary patches, with renames, links and the
 * permission to execute. Rejects where `read` rejects.
 */
export async function gitPatch(changes: readonly ChangedPath[], read: ReadVersion): Promise<string> {
  const parts: string[] = [];
  for (const change of changes) parts.push(await filePatch(change, read));
  return parts.join('');
}

async function filePatch(change: ChangedPath, read: ReadVersion): Promise<string> {
  const { path, from = path, before, after } = change;
  // A link that becomes a file, or the other way round, is a removal and an addition to git.
  if (before && after && before.type !== after.type)
    return (
      (await filePatch({ path, before, after: null }, read)) +
      (await filePatch({ path, before: null, after }, read))
    );
  const [old, now] = [before && (await read(before)), after && (await read(after))];
  const head = [`diff --git ${quoted(`a/${from}`)} ${quoted(`b/${path}`)}`, ...modeLines(change)];
  const [oldText, newText] = [textOf(old), textOf(now)];
  if (from !== path) {
    const similarity = old && now && sameBytes(old, now) ? 100 : similarityOf(oldText, newText);
    head.push(`similarity index ${similarity}%`, `rename from ${quoted(from)}`, `rename to ${quoted(path)}`);
  }
  if (old && now && sameBytes(old, now)) return `${head.join('\n')}\n`;
  if (oldText === null || newText === null) return head.join('\n') + (await binaryPatch(old, now));
  return head.join('\n') + (await textPatch(change, oldText, newText));
}

function modeLines(change: ChangedPath): readonly string[] {
  const { before, after } = change;
  switch (kindOf(change)) {
    case 'added':
      return [`new file mode ${modeOf(after)}`];
    case 'removed':
      return [`deleted file mode ${modeOf(before)}`];
    default:
      return modeOf(before) === modeOf(after)
        ? []
        : [`old mode ${modeOf(before)}`, `new mode ${modeOf(after)}`];
  }
}

function modeOf(version: FileVersion | null): string {
  if (version?.type === 'symlink') return '120000';
  return version && isExecutable(version) ? '100755' : '100644';
}

/** In per cent. Below 100, which is only for equal files. */
function similarityOf(old: string | null, now: string | null): number {
  return Math.min(99, Math.floor(sharedPart(old ?? '', now ?? '') * 100));
}

async function textPatch(
  { path, from = path, before, after }: ChangedPath,
  old: string,
  now: string,
): Promise<string> {
  // git writes no hunk for an empty file.
  if (old === now) return '\n';
  const { structuredPatch, formatPatch, OMIT_HEADERS } = await import('diff');
  const patch = structuredPatch('', '', old, now, undefined, undefined, { context: 3 });
  const names = [
    `--- ${before ? quoted(`a/${from}`) : '/dev/null'}`,
    `+++ ${after ? quoted(`b/${path}`) : '/dev/null'}`,
  ];
  return `\n${names.join('\n')}\n${formatPatch(patch, OMIT_HEADERS).trimStart()}`;
}

async function binaryPatch(old: Uint8Array | null, now: Uint8Array | null): Promise<string> {
  const { base85Lines, gitHash } = await import('./git-binary.ts');
  const none = new Uint8Array();
  const [oldHash, newHash] = [old, now].map((bytes) => (bytes ? gitHash(bytes) : '0'.repeat(40)));
  const literal = (bytes: Uint8Array) => `literal ${bytes.length}\n${base85Lines(bytes)}\n`;
  return `\nindex ${oldHash}..${newHash}\nGIT binary patch\n${literal(now ?? none)}${literal(old ?? none)}`;
}

/** The text of a file, `null` if it is none: no UTF-8, or with a byte 0. */
function textOf(bytes: Uint8Array | null): string | null {
  if (!bytes) return '';
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** Writes a name as git does: in quotes, with escapes, if it has characters that a line cannot hold plainly. */
function quoted(name: string): string {
  const bytes = new TextEncoder().encode(name);
  if (bytes.every((byte) => byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c)) return name;
  const escaped = Array.from(bytes, (byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
    return `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${escaped.join('')}"`;
}
