import type { HandleDescriptor } from './descriptor.ts';

interface ReadableHandle {
  once(name: 'close', listener: () => void): unknown;
  read(into: ArrayBufferView, offset: number, length: number): Promise<{ readonly bytesRead: number }>;
  close(): Promise<void>;
}

/** Makes the web stream of the bytes of a handle. It counts as a user of the descriptor until it ends. */
export function webStreamOf(
  handle: ReadableHandle,
  descriptor: HandleDescriptor,
  autoClose: boolean,
): ReadableStream {
  descriptor.lock();
  let isOver = false;
  const end = () => {
    isOver = true;
    descriptor.leave();
    if (autoClose) void handle.close();
  };
  descriptor.enter();
  return new ReadableStream({
    type: 'bytes',
    autoAllocateChunkSize: 16384,
    start: (controller) => {
      handle.once('close', () => {
        if (isOver) return;
        controller.close();
        end();
      });
    },
    pull: async (controller) => {
      const request = controller.byobRequest;
      // The stream allocates its own pieces, so there always is one to fill.
      if (!request?.view) return;
      const { bytesRead } = await handle.read(request.view, 0, request.view.byteLength);
      if (bytesRead === 0) controller.close();
      request.respond(bytesRead);
      if (bytesRead === 0) end();
    },
    cancel: end,
  });
}
