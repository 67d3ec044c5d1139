import type { Peer } from './protocol.ts';

/** The other end of a worker, seen from inside it. */
export function workerScope<Out, In>(): Peer<Out, In> {
  return portPeer<Out, In>(self);
}

interface Postable {
  postMessage(message: unknown, options?: StructuredSerializeOptions): void;
  onmessage: ((event: MessageEvent) => unknown) | null;
}

/** Wraps a MessagePort or a worker's scope as a {@link Peer}. The caller says what types the other end speaks. */
export function portPeer<Out, In>(port: Postable): Peer<Out, In> {
  return {
    post: (message, transfer = []) => port.postMessage(message, { transfer }),
    onMessage: (listener) => {
      port.onmessage = ({ data }: MessageEvent<In>) => listener(data);
    },
  };
}
