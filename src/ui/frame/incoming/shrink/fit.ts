/**
 * The longest side of a picture, in pixels. Providers scale down what is larger, and one of them refuses more than this
 * in a request with many pictures.
 */
export const MAX_SIDE = 2_000;
/** The largest picture in bytes: as base64 it stays below five megabytes, where providers refuse it. */
export const MAX_BYTES = 3_750_000;
/** The media types that models take as they are; pictures in other formats are converted. */
const TAKEN = /^image\/(png|jpeg|gif|webp)$/;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size at which a picture fits into the limits, with its proportions kept; a side never becomes zero. */
export function fittingSize({ width, height }: Size): Size {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

/** Whether a picture can be sent unchanged. */
export function fitsAsItIs({ width, height }: Size, bytes: number, mediaType: string): boolean {
  return TAKEN.test(mediaType) && bytes <= MAX_BYTES && Math.max(width, height) <= MAX_SIDE;
}
