import { nodeError } from '../internal/errors.ts';
import { inspect } from '../internal/inspect.ts';

/** `ReadableStream.from`, which not every browser has. */
export function addStreamFrom(): void {
  if ('from' in ReadableStream) return;
  Object.defineProperty(ReadableStream, 'from', {
    value: function from(source: AsyncIterable<unknown> | Iterable<unknown>) {
      const iterator = iteratorOf(source);
      return new ReadableStream(
        {
          async pull(controller) {
            const step = await iterator.next();
            if (typeof step !== 'object' || step === null)
              throw new TypeError(
                'The promise returned by the iterator.next() method must fulfill with an object',
              );
            if (step.done === true) controller.close();
            else controller.enqueue(await step.value);
          },
          async cancel(reason) {
            await iterator.return?.(reason);
          },
        },
        { highWaterMark: 0 },
      );
    },
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function iteratorOf(source: unknown): AsyncIterator<unknown> | Iterator<unknown> {
  if (source !== null && source !== undefined) {
    const many = Object(source) as Partial<AsyncIterable<unknown> & Iterable<unknown>>;
    const made = many[Symbol.asyncIterator]?.() ?? many[Symbol.iterator]?.();
    if (made) return made;
  }
  throw nodeError('ERR_ARG_NOT_ITERABLE', `${inspect(source)} must be iterable`, TypeError);
}
