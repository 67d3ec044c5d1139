/** What `promise` comes to, but rejects as soon as `signal` is aborted, with what `why` makes: nobody waits for the rest. */
export function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>, why: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(why());
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
