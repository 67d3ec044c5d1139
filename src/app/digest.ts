import type { Hash } from '../base/hash.ts';

/** SHA-256 in hex, computed off the page's thread if the browser can (in secure contexts). */
export async function digest(text: string): Promise<Hash> {
  const { subtle } = globalThis.crypto;
  if (!subtle) return (await import('../base/hash.ts')).hashText(text);
  const bytes = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
