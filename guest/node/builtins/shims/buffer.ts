export { Buffer } from '../buffer/buffer.ts';
export const Blob = globalThis.Blob;
