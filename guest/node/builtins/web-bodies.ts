/** Whether a body is a stream of node or another iterable of pieces, which a browser would take for a text. */
export function isIterable(body: unknown): body is AsyncIterable<Uint8Array | string> {
  return (
    typeof body === 'object' &&
    body !== null &&
    !(body instanceof ReadableStream) &&
    Symbol.asyncIterator in body
  );
}

function streamOf(body: AsyncIterable<Uint8Array | string>): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === 'string' ? new TextEncoder().encode(value) : value);
    },
    cancel: async () => void (await pieces.return?.()),
  });
}

/** The arguments of `new Request`, with a body that a browser can send. */
export function requestArguments(args: readonly unknown[]): readonly unknown[] {
  const [input, init] = args as readonly [unknown, RequestInit?];
  const body: unknown = init?.body;
  if (!isIterable(body) && !(body instanceof ReadableStream)) return args;
  if (!init || !('duplex' in init))
    throw new TypeError('RequestInit: duplex option is required when sending a body.');
  return isIterable(body) ? [input, { ...init, body: streamOf(body) }] : args;
}

/** Makes `new Response` take what node takes as a body. */
export function adaptResponse(): void {
  const Platform = globalThis.Response;
  const Adapted = new Proxy(Platform, {
    construct(target, args: unknown[], made) {
      const [body, ...rest] = args;
      return Reflect.construct(target, isIterable(body) ? [streamOf(body), ...rest] : args, made);
    },
  });
  for (const [holder, name] of [
    [Platform.prototype, 'constructor'],
    [globalThis, 'Response'],
  ] as const)
    Object.defineProperty(holder, name, { value: Adapted, writable: true, configurable: true });
}
