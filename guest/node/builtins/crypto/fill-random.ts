/** How many bytes getRandomValues returns at once. */
export const RANDOM_CHUNK = 65536;

/** The page's `crypto`, read when this module loads: the process later has its own, or none. */
export const platform = globalThis.crypto;
const { getRandomValues } = platform;
/** Fills an array with the platform's own function. */
export const randomValues = (values: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>): void => {
  Reflect.apply(getRandomValues, platform, [values]);
};

function isUnshared(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}

export function fillRandom(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += RANDOM_CHUNK) {
    const part = bytes.subarray(at, at + RANDOM_CHUNK);
    // The browser fills no memory that is shared.
    const own = isUnshared(part) ? part : new Uint8Array(part);
    randomValues(own);
    if (own !== part) part.set(own);
  }
}
