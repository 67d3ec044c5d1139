import { fitsAsItIs, fittingSize, MAX_BYTES } from './fit.ts';
import type { ShrinkRequest, ShrinkResponse } from './protocol.ts';

const QUALITY = 0.85;

self.onmessage = async ({ data }: MessageEvent<ShrinkRequest>) => {
  const response = await shrunk(data).catch((): ShrinkResponse => ({ kind: 'unreadable' }));
  self.postMessage(response);
};

async function shrunk({ bytes, mediaType }: ShrinkRequest): Promise<ShrinkResponse> {
  const picture = await createImageBitmap(new Blob([bytes], { type: mediaType }));
  try {
    if (fitsAsItIs(picture, bytes.length, mediaType)) return { kind: 'same' };
    return await drawn(picture, mediaType);
  } finally {
    picture.close();
  }
}

/** Photographs stay JPEG. Others become PNG, which keeps letters sharp, unless that is too large. */
async function drawn(picture: ImageBitmap, mediaType: string): Promise<ShrinkResponse> {
  const { width, height } = fittingSize(picture);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  if (mediaType !== 'image/jpeg') {
    const blob = await canvas.convertToBlob({ type: 'image/png' });
    if (blob.size <= MAX_BYTES) return await answer(blob);
    // JPEG has no transparency; what was transparent becomes white instead of black.
    context.globalCompositeOperation = 'destination-over';
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
  }
  return await answer(await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY }));
}

async function answer(blob: Blob): Promise<ShrinkResponse> {
  return { kind: 'smaller', bytes: new Uint8Array(await blob.arrayBuffer()), mediaType: blob.type };
}
