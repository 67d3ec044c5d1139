import { toBase64 as bytesToBase64 } from '../../src/base/base64.ts';

/** The part of node that the host stands on. */
export interface NodeWorld {
  readonly require: (name: string) => unknown;
  readonly process: {
    readonly env: Record<string, string | undefined>;
    readonly stdout: { write(text: string): unknown };
    cwd(): string;
  };
}

/** Bytes and text, as base64. */
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

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An error as node words those of its file system. */
export function refusal(code: string, what: string): Error {
  return Object.assign(new Error(`${code}: ${what}`), { code });
}
