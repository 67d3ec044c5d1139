/** Requests of the kernel to the app, which answers by the number of each. */
export class AppRequests<Answer> {
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #next = 1;

  /** Resolves to the answer. `send` posts the request with its number. */
  ask(send: (id: number) => void): Promise<Answer> {
    const id = this.#next++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      send(id);
    });
  }

  /** An answer that nobody waits for is left alone. */
  answered(id: number, answer: Answer): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }
}
