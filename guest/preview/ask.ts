import { EXCHANGE_WINDOW, Window, type FromServer, type NetHeaders } from '../../src/protocol/exchange.ts';
import type { FromClient, PreviewRequest, ToClient } from '../../src/protocol/preview.ts';

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: NetHeaders;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** The app could not get an answer. */
export class NoAnswer extends Error {
  readonly code: string;
  constructor({ code, message }: Extract<FromServer, { kind: 'failed' }>) {
    super(message);
    this.code = code;
  }
}

/** Makes a request through the app. `send` hands it over with its channel. Rejects with {@link NoAnswer}, or the signal's reason. */
export function ask(
  send: (request: PreviewRequest, channel: MessagePort) => void,
  request: PreviewRequest,
  body: ReadableStream<Uint8Array> | null,
  signal?: AbortSignal,
): Promise<Answer> {
  const { port1, port2 } = new MessageChannel();
  const say = (message: FromClient, transfer: Transferable[] = []) => port1.postMessage(message, transfer);
  const window = new Window(EXCHANGE_WINDOW);
  return new Promise((resolve, reject) => {
    let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
    let over = false;
    const finish = (error?: unknown) => {
      if (over) return;
      over = true;
      signal?.removeEventListener('abort', leave);
      window.used(EXCHANGE_WINDOW);
      port1.close();
      if (error === undefined) return controller?.close();
      controller?.error(error);
      reject(error as Error);
    };
    const leave = () => {
      say({ kind: 'gone' });
      finish(signal?.reason ?? new DOMException('The request was given up.', 'AbortError'));
    };
    if (signal?.aborted) return reject(signal.reason as Error);
    signal?.addEventListener('abort', leave, { once: true });
    let unread = 0;
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        start: (given) => void (controller = given),
        // The stream asks for more once it has passed on what was queued.
        pull() {
          if (over || unread === 0) return;
          say({ kind: 'used', bytes: unread });
          unread = 0;
        },
        cancel: leave,
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 1 }),
    );
    port1.onmessage = ({ data }: MessageEvent<ToClient>) => {
      if (over) return;
      switch (data.kind) {
        case 'response':
          return resolve({ ...data, body: stream });
        case 'body':
          unread += data.bytes.byteLength;
          return controller?.enqueue(data.bytes as Uint8Array<ArrayBuffer>);
        case 'used':
          return window.used(data.bytes);
        case 'end':
          return finish();
        case 'failed':
          return finish(new NoAnswer(data));
      }
    };
    send(request, port2);
    if (body) void sendBody(body, say, window, () => over);
  });
}

const PIECE = EXCHANGE_WINDOW / 4;

async function sendBody(
  body: ReadableStream<Uint8Array>,
  say: (message: FromClient, transfer?: Transferable[]) => void,
  window: Window,
  isOver: () => boolean,
): Promise<void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || isOver()) break;
      // Browsers give a whole body as one piece where they have it in memory.
      for (let at = 0; at < value.byteLength && !isOver(); at += PIECE) {
        const bytes = value.slice(at, at + PIECE);
        const { byteLength } = bytes;
        say({ kind: 'body', bytes }, [bytes.buffer]);
        await window.sent(byteLength);
      }
    }
    if (!isOver()) say({ kind: 'end' });
  } catch {
    if (!isOver()) say({ kind: 'gone' });
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
