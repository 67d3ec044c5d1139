import { ATTACHMENTS } from '../../../../base/places.ts';
import { mentionsIn } from '../../../../session/calls/mentioned.ts';
import { mediaTypeOf } from '../../../../tools/decode.ts';
import type { Workspace } from '../../../../workspace/workspace.ts';
import { mentionOf } from '../../mention/complete.ts';

export interface AttachedFile {
  /** Relative to the root. */
  readonly path: string;
  readonly name: string;
  readonly mediaType: string | undefined;
}

/** The pictures, PDFs and kept attachments that a message names. Other files that it names are not shown. */
export function attachedIn(text: string): readonly AttachedFile[] {
  return mentionsIn(text).flatMap((readings): readonly AttachedFile[] => {
    // The last reading without a range of lines has no punctuation at its end.
    const { path } = readings.findLast(({ offset }) => offset === undefined) ?? { path: '' };
    const mediaType = mediaTypeOf(path);
    if (mediaType === undefined && !path.startsWith(`${ATTACHMENTS}/`)) return [];
    return [{ path, name: path.slice(path.lastIndexOf('/') + 1), mediaType }];
  });
}

/** The pictures that a text attaches and that are there. */
export async function picturesIn(
  text: string,
  files: Pick<Workspace['files'], 'stat'>,
): Promise<readonly AttachedFile[]> {
  const pictures = attachedIn(text).filter(isPicture);
  const stats = await Promise.all(pictures.map(({ path }) => files.stat(path).catch(() => null)));
  return pictures.filter((_, index) => stats[index]?.type === 'file');
}

/** The text without the mention of this path, and without the space after it. */
export function withoutMention(text: string, path: string): string {
  const mention = mentionOf(path).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`${mention}(?=[.,;:!?)\\]}…]*(?:$|[\\s"'\`<>|])) ?`, 'g'), '');
}

/** A text that takes the place of `before` in the message box, with what `before` attaches and it does not. */
export function keepingAttached(text: string, before: string): string {
  const named = new Set(attachedIn(text).map(({ path }) => path));
  const kept = attachedIn(before).filter(({ path }) => !named.has(path));
  if (kept.length === 0) return text;
  return keepingFiles(text, kept);
}

/** A text with files that it does not mention yet. */
export function keepingFiles(text: string, files: readonly AttachedFile[]): string {
  const gap = text === '' || /\s$/.test(text) ? '' : ' ';
  return `${text}${gap}${files.map(({ path }) => mentionOf(path)).join(' ')} `;
}

/** The text without the pictures that it attaches. */
export function withoutPictures(text: string): string {
  return attachedIn(text)
    .filter(isPicture)
    .reduce((rest, { path }) => withoutMention(rest, path), text)
    .trim();
}

export function isPicture({ mediaType }: AttachedFile): boolean {
  return mediaType?.startsWith('image/') ?? false;
}
