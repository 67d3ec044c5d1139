import type * as node from 'node:stream';

type StreamModule = typeof node;

/** `toWeb` and `fromWeb`, which the package leaves out. */
export function addWebStreams(stream: StreamModule): void {
  const { Readable, Writable, Duplex } = stream;
  const { readableToWeb, readableFromWeb } = readableForms(stream);
  const { writableToWeb, writableFromWeb } = writableForms(stream);

  Object.assign(Readable, { toWeb: readableToWeb, fromWeb: readableFromWeb });
  Object.assign(Writable, { toWeb: writableToWeb, fromWeb: writableFromWeb });
  Object.assign(Duplex, {
    toWeb: (both: InstanceType<StreamModule['Duplex']>) => ({
      readable: readableToWeb(both),
      writable: writableToWeb(both),
    }),
    fromWeb: (pair: { readable: ReadableStream; writable: WritableStream }, options: object = {}) =>
      Duplex.from({
        readable: readableFromWeb(pair.readable, options),
        writable: writableFromWeb(pair.writable, options),
      }),
  });
}

function readableForms({ Readable, finished }: StreamModule) {
  function readableToWeb(
    source: InstanceType<StreamModule['Readable']>,
    options?: { strategy?: QueuingStrategy },
  ) {
    const objects = source.readableObjectMode;
    const strategy =
      options?.strategy ??
      (objects
        ? new CountQueuingStrategy({ highWaterMark: source.readableHighWaterMark })
        : { highWaterMark: source.readableHighWaterMark });
    let wasCancelled = false;
    return new ReadableStream<unknown>(
      {
        start(controller) {
          source.pause();
          source.on('data', (chunk: unknown) => {
            const bytes = chunk instanceof Uint8Array && !objects ? new Uint8Array(chunk) : chunk;
            controller.enqueue(bytes);
            if ((controller.desiredSize ?? 0) <= 0) source.pause();
          });
          finished(source, { writable: false }, (error) => {
            // Some streams report their error again.
            source.on('error', () => {});
            if (error) controller.error(error);
            else if (!wasCancelled) controller.close();
          });
        },
        pull: () => void source.resume(),
        cancel(reason) {
          wasCancelled = true;
          source.destroy(reason as Error);
        },
      },
      strategy,
    );
  }

  function readableFromWeb(web: ReadableStream<unknown>, options: object = {}) {
    const reader = web.getReader();
    let ended = false;
    return new Readable({
      objectMode: false,
      ...options,
      read() {
        reader.read().then(
          ({ value, done }) => {
            ended = done;
            this.push(done ? null : value);
          },
          (error: Error) => this.destroy(error),
        );
      },
      destroy(error, done) {
        if (ended) return done(error);
        ended = true;
        reader.cancel(error).then(
          () => done(error),
          () => done(error),
        );
      },
    });
  }

  return { readableToWeb, readableFromWeb };
}

function writableForms({ Writable, finished }: StreamModule) {
  function writableToWeb(target: InstanceType<StreamModule['Writable']>) {
    return new WritableStream<unknown>({
      write: (chunk) =>
        new Promise((resolve, reject) => {
          target.write(chunk, (error) => (error ? reject(error) : resolve()));
        }),
      close: () =>
        new Promise((resolve, reject) => {
          finished(target, { readable: false }, (error) => (error ? reject(error) : resolve()));
          target.end();
        }),
      abort: (reason) => void target.destroy(reason as Error),
    });
  }

  function writableFromWeb(web: WritableStream<unknown>, options: object = {}) {
    const writer = web.getWriter();
    const told = (done: (error?: Error | null) => void) =>
      [() => done(), (error: Error) => done(error)] as const;
    return new Writable({
      ...options,
      write: (chunk, _encoding, done) => void writer.write(chunk).then(...told(done)),
      final: (done) => void writer.close().then(...told(done)),
      destroy(error, done) {
        if (!error) return done(null);
        writer.abort(error).then(
          () => done(error),
          () => done(error),
        );
      },
    });
  }

  return { writableToWeb, writableFromWeb };
}
