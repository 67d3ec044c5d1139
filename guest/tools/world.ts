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
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An error as node words those of its file system. */
export function refusal(code: string, what: string): Error {
  return Object.assign(new Error(`${code}: ${what}`), { code });
}
