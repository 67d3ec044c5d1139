/** Settles as `promise` does, but rejects with `why()` as soon as `signal` is aborted. */
export function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>, why: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(why());
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
