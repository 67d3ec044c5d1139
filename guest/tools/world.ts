import { toBase64 as bytesToBase64 } from '../../src/base/base64.ts';

/** The part of Node that the host uses. */
export interface NodeWorld {
  readonly require: (name: string) => unknown;
  readonly process: {
    readonly env: Record<string, string | undefined>;
    readonly stdout: { write(text: string): unknown };
    cwd(): string;
  };
}

/** Encodes bytes or text as base64. */
export function toBase64(content: unknown): string {
  const bytes =
    typeof content === 'string'
      ? new TextEncoder().encode(content)
      : content instanceof ArrayBuffer
        ? new Uint8Array(content)
        : ArrayBuffer.isView(content)
          ? new Uint8Array(content.buffer, content.byteOffset, content.byteLength)
          : new TextEncoder().encode(String(content));
  return bytesToBase64(bytes);
}

/** An error in the form of Node's file system errors. */
export function refusal(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}
