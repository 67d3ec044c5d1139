import { expect, test } from 'vitest';
import { shrink } from './shrink.ts';

async function drawn(width: number, height: number, type: string): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')!.fillRect(0, 0, width / 2, height);
  const blob = await canvas.convertToBlob({ type });
  return new Uint8Array(await blob.arrayBuffer());
}

test('a picture that is too large becomes smaller in its own format', async () => {
  for (const mediaType of ['image/png', 'image/jpeg']) {
    const answer = await shrink({ bytes: await drawn(3000, 1500, mediaType), mediaType });
    if (answer.kind !== 'smaller') throw new Error(answer.kind);
    expect(answer.mediaType).toBe(mediaType);
    const { width, height } = await createImageBitmap(new Blob([answer.bytes], { type: mediaType }));
    expect({ width, height }).toEqual({ width: 2000, height: 1000 });
  }
});

test('a small picture stays as it is, and what is no picture is told apart', async () => {
  const mediaType = 'image/png';
  expect(await shrink({ bytes: await drawn(20, 10, mediaType), mediaType })).toEqual({ kind: 'same' });
  expect(await shrink({ bytes: Uint8Array.of(1, 2, 3), mediaType })).toEqual({ kind: 'unreadable' });
});
