/** Shorter than what a person notices of a page that does not answer. */
const SLICE_MS = 30;

/** Long work in slices: between two of them the page answers and paints. */
export class Slices {
  #end = performance.now() + SLICE_MS;

  /** To be awaited before each piece of the work. Waits only where a slice is over. */
  async next(): Promise<void> {
    if (performance.now() < this.#end) return;
    await nextTask();
    this.#end = performance.now() + SLICE_MS;
  }
}

/**
 * Lets the page answer and paint. Uses a message and not a timer, because browsers let a timer of a hidden tab fire once a
 * second or more rarely.
 */
export async function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise<void>((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
  port1.close();
}
