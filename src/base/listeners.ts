/** Stops what a subscription started; calling it twice does nothing. */
export type Unlisten = () => void;

/** A set of callbacks for one kind of notice. A listener that throws does not stop the others. */
export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>();

  add(listener: (value: T) => void): Unlisten {
    // A wrapper per subscription, so that the same function may listen twice.
    const entry = (value: T) => listener(value);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  emit(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        reportError(error);
      }
    }
  }
}

/** Node has no global `reportError`; an error in a listener must still surface there. */
function reportError(error: unknown): void {
  if (typeof globalThis.reportError === 'function') globalThis.reportError(error);
  else
    queueMicrotask(() => {
      throw error;
    });
}
