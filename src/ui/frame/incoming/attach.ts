import { ATTACHMENTS } from '../../../base/places.ts';
import { isBinary, mediaTypeOf } from '../../../tools/decode.ts';
import type { ImportEntry } from '../../../workspace/transfer.ts';
import { WorkspaceError, type Workspace } from '../../../workspace/workspace.ts';
import type { ShrinkRequest, ShrinkResponse } from './shrink/protocol.ts';

export type IncomingFile = ImportEntry & { readonly type: 'file' };

/** The largest file, in bytes, that a model can get. */
export const MAX_FILE = 5 * 1024 * 1024;
/** The largest picture, in bytes, that is read to make it smaller. */
export const MAX_PICTURE = 50 * 1024 * 1024;
const MOST_NAMES = 1_000;
/** Formats that browsers read and models do not. */
const CONVERTED: Readonly<Record<string, string>> = { avif: 'image/avif', bmp: 'image/bmp' };

/** Whether an entry is a single picture or PDF, not part of a folder, of a kind and size that a model can get. */
export function isAttachable(entry: ImportEntry): entry is IncomingFile {
  if (!isSingle(entry)) return false;
  if (pictureType(entry.path)) return entry.size <= MAX_PICTURE;
  return mediaTypeOf(entry.path) !== undefined && entry.size <= MAX_FILE;
}

/** Whether an entry is a single text of a size that a model can get. */
export async function isAttachableText(entry: ImportEntry): Promise<boolean> {
  if (!isSingle(entry) || entry.size > MAX_FILE || isImage(entry)) return false;
  return mediaTypeOf(entry.path) === undefined && !isBinary(entry.path, await entry.read());
}

function isSingle(entry: ImportEntry): entry is IncomingFile {
  return entry.type === 'file' && !entry.path.includes('/');
}

/** Whether the name is that of an image. */
export function isImage({ path }: ImportEntry): boolean {
  return /\.(png|jpe?g|gif|webp|avif|bmp|heic|heif|tiff?|ico)$/i.test(path);
}

function pictureType(path: string): string | undefined {
  const mediaType = mediaTypeOf(path) ?? CONVERTED[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
  return mediaType?.startsWith('image/') ? mediaType : undefined;
}

type Shrink = (request: ShrinkRequest) => Promise<ShrinkResponse>;

/**
 * Writes a file under a free name, a picture small enough for models; resolves to its path relative to the root, or to
 * `null` if it is a picture that cannot be read.
 */
export async function keepFile(
  { files }: Workspace,
  file: IncomingFile,
  shrink: Shrink,
): Promise<string | null> {
  const fitted = await fit(file, shrink);
  if (!fitted) return null;
  const { name, content } = fitted;
  const dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length;
  for (let number = 1; number <= MOST_NAMES; number++) {
    const suffix = number === 1 ? '' : `-${number}`;
    const path = `${ATTACHMENTS}/${name.slice(0, dot)}${suffix}${name.slice(dot)}`;
    try {
      await files.write(path, content, { expect: null });
      return path;
    } catch (error) {
      if (!(error instanceof WorkspaceError) || error.code !== 'ECHANGED') throw error;
    }
  }
  throw new Error(`There are too many files of this name in ${ATTACHMENTS}.`);
}

async function fit(file: IncomingFile, shrink: Shrink) {
  const content = new Uint8Array(await file.read());
  const mediaType = pictureType(file.path);
  if (!mediaType) return { name: file.path, content };
  const answer = await shrink({ bytes: content, mediaType });
  if (answer.kind === 'unreadable') return null;
  if (answer.kind === 'same') return { name: file.path, content };
  const name = answer.mediaType === mediaType ? file.path : renamed(file.path, answer.mediaType);
  return { name, content: answer.bytes };
}

function renamed(name: string, mediaType: string): string {
  return `${name.slice(0, name.lastIndexOf('.'))}.${mediaType === 'image/jpeg' ? 'jpg' : 'png'}`;
}
