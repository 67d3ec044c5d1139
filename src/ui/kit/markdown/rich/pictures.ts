import { markdownWords as words } from '../markdown-words.ts';
import type { ReadPicture } from './read-picture.ts';

/** Puts a picture in the place of each element that the parser made for one. */
export async function showPictures(block: Element, read: ReadPicture, over: AbortSignal): Promise<void> {
  for (const place of block.querySelectorAll<HTMLElement>('[data-picture]')) {
    const address = place.dataset.picture ?? '';
    const name = place.textContent;
    const picture = await addressOf(address, read, over).catch(() => words.pictureMissing);
    if (over.aborted) return;
    if (typeof picture === 'string') place.textContent = words.noPicture(name, picture);
    else place.replaceChildren(imageOf(picture.src, name, place));
  }
}

async function addressOf(
  address: string,
  read: ReadPicture,
  over: AbortSignal,
): Promise<{ src: string } | string> {
  if (address.startsWith('data:')) return { src: address };
  const file = await read(address);
  if (typeof file === 'string') return file;
  // The address of an SVG may be opened as a page of its own; as data it has no origin there.
  if (file.type === 'image/svg+xml') return { src: await asData(file) };
  const src = URL.createObjectURL(file);
  if (over.aborted) URL.revokeObjectURL(src);
  else over.addEventListener('abort', () => URL.revokeObjectURL(src));
  return { src };
}

function imageOf(src: string, name: string, place: HTMLElement): HTMLImageElement {
  const image = document.createElement('img');
  image.alt = name;
  image.decoding = 'async';
  image.onerror = () => (place.textContent = words.noPicture(name, words.pictureNotImage));
  image.src = src;
  return image;
}

function asData(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'));
    reader.readAsDataURL(file);
  });
}
