import { mediaTypeOf } from '../../../tools/decode.ts';
import type { ImportEntry } from '../../../workspace/transfer.ts';
import { WorkspaceError, type Workspace } from '../../../workspace/workspace.ts';

export type IncomingFile = ImportEntry & { readonly type: 'file' };

/** The folder for images of messages, where the agent's `read` tool finds them. */
const FOLDER = 'attachments';
/** The largest image, in bytes, that a model can get. */
export const MAX_IMAGE = 5 * 1024 * 1024;
const MOST_NAMES = 1_000;

/** Whether an entry is a single image, not part of a folder, of a kind and size that a model can get. */
export function isAttachable(entry: ImportEntry): entry is IncomingFile {
  if (entry.type !== 'file' || entry.path.includes('/') || entry.size > MAX_IMAGE) return false;
  return mediaTypeOf(entry.path)?.startsWith('image/') === true;
}

/** Whether the name is that of an image. */
export function isImage({ path }: ImportEntry): boolean {
  return /\.(png|jpe?g|gif|webp|avif|bmp|heic|heif|tiff?|ico)$/i.test(path);
}

/** Writes an image under a free name; resolves to its path relative to the root. */
export async function keepImage({ files }: Workspace, image: IncomingFile): Promise<string> {
  const content = await image.read();
  const dot = image.path.lastIndexOf('.');
  for (let number = 1; number <= MOST_NAMES; number++) {
    const suffix = number === 1 ? '' : `-${number}`;
    const path = `${FOLDER}/${image.path.slice(0, dot)}${suffix}${image.path.slice(dot)}`;
    try {
      await files.write(path, content, { expect: null });
      return path;
    } catch (error) {
      if (!(error instanceof WorkspaceError) || error.code !== 'ECHANGED') throw error;
    }
  }
  throw new Error(`There are too many images of this name in ${FOLDER}.`);
}
