import { ROOT, type Workspace } from '../../workspace/workspace.ts';
import { markdownWords as words } from '../kit/markdown/markdown-words.ts';
import type { ReadPicture } from '../kit/markdown/rich/read-picture.ts';

const LARGEST_BYTES = 10_000_000;
const LARGEST_SVG_BYTES = 1_000_000;

/** Reads the pictures that an answer names by their path in the workspace. */
export function workspacePictures(files: () => Workspace['files'] | undefined): ReadPicture {
  return async (address) => {
    const path = pathOf(address);
    const reader = files();
    const stat = await reader?.stat(path);
    if (!reader || !stat) return words.pictureMissing;
    if (stat.size > LARGEST_BYTES) return words.pictureTooLarge;
    const bytes = new Uint8Array(await reader.read(path));
    const { contentOf } = await import('../workbench/files/file-content.ts');
    const content = contentOf(path, bytes);
    if (content.kind === 'image') return new Blob([bytes], { type: content.mediaType });
    if (!/\.svg$/i.test(path) || content.kind !== 'text') return words.pictureNotImage;
    if (bytes.length > LARGEST_SVG_BYTES) return words.pictureTooLarge;
    return new Blob([bytes], { type: 'image/svg+xml' });
  };
}

function pathOf(address: string): string {
  const path = decoded(address.split(/[?#]/, 1)[0] ?? '').replace(/^(?:\.\/)+/, '');
  return path.startsWith('/') ? path : `${ROOT}/${path}`;
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
