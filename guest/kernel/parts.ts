import type { Part } from '../../src/protocol/frame.ts';

interface PartRequest {
  readonly promise: Promise<string>;
  resolve(source: string): void;
  reject(error: Error): void;
}

/** Fetches the parts of node and of the shell that are loaded on first use. Each is requested once, or again after a failure. */
export class Parts {
  readonly #ask: (part: Part) => void;
  readonly #requests = new Map<Part, PartRequest>();

  constructor(ask: (part: Part) => void) {
    this.#ask = ask;
  }

  source(part: Part): Promise<string> {
    const request = this.#requests.get(part);
    if (request) return request.promise;
    let end: Omit<PartRequest, 'promise'> | undefined;
    const promise = new Promise<string>((resolve, reject) => (end = { resolve, reject }));
    if (end) this.#requests.set(part, { promise, ...end });
    this.#ask(part);
    return promise;
  }

  arrived(part: Part, source: string): void {
    this.#requests.get(part)?.resolve(source);
  }

  failed(part: Part, reason: string): void {
    const request = this.#requests.get(part);
    this.#requests.delete(part);
    request?.reject(new Error(reason));
  }
}
