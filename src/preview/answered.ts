import type { NetHeaders } from '../protocol/exchange.ts';

/** An answer to a request of a preview. */
export interface Answered {
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case. */
  readonly headers: NetHeaders;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

export function textAnswer(status: number, text: string, headers: NetHeaders = []): Answered {
  return bytesAnswer(status, new TextEncoder().encode(text), [
    ['content-type', 'text/plain; charset=utf-8'],
    ...headers,
  ]);
}

export function bytesAnswer(status: number, bytes: Uint8Array<ArrayBuffer>, headers: NetHeaders): Answered {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      if (bytes.byteLength > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
  return { status, statusText: '', headers, body };
}
