import { mentionsIn } from '../../../../session/calls/mentioned.ts';
import { mediaTypeOf } from '../../../../tools/decode.ts';
import { FOLDER } from '../../../frame/incoming/attach.ts';
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
    if (mediaType === undefined && !path.startsWith(`${FOLDER}/`)) return [];
    return [{ path, name: path.slice(path.lastIndexOf('/') + 1), mediaType }];
  });
}

/** The text without the mention of this path, and without the space after it. */
export function withoutMention(text: string, path: string): string {
  const mention = mentionOf(path).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`${mention}(?=[.,;:!?)\\]}…]*(?:$|[\\s"'\`<>|])) ?`, 'g'), '');
}
