import scriptURL from 'guest:guest/preview/picture/main.ts';
import { FaultError } from '../base/fault.ts';
import { loadText } from '../base/parts.ts';
import type { Preview } from './preview.ts';

export interface PagePicture {
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Has the page draw what is in view, or one element, which no browser does for another page. Rejects with a fault where it cannot.
 */
export async function pictureOf(
  preview: Preview,
  ref: string | undefined,
  signal: AbortSignal,
): Promise<PagePicture> {
  const script = await loadText(scriptURL);
  const url = await preview.act({ do: 'picture', script, ...(ref !== undefined && { ref }) }, signal);
  const [, mediaType, data = ''] = /^data:(image\/(?:png|jpeg));base64,([A-Za-z0-9+/]+=*)$/.exec(url) ?? [];
  if (mediaType === undefined)
    throw new FaultError({
      code: 'no-picture',
      what: 'The page could not be drawn.',
      next: 'Read a snapshot instead.',
    });
  return { mediaType, bytes: Uint8Array.from(atob(data), (character) => character.charCodeAt(0)) };
}
