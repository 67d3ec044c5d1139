import type { NodePart } from '../../src/workspace/embedded/protocol.ts';

interface Asked {
  readonly promise: Promise<string>;
  resolve(source: string): void;
  reject(error: Error): void;
}

/** Sources of the parts of node that are fetched where a program uses them: each is asked for once, or until it is had. */
export class Parts {
  readonly #ask: (part: NodePart) => void;
  readonly #asked = new Map<NodePart, Asked>();

  constructor(ask: (part: NodePart) => void) {
    this.#ask = ask;
  }

  source(part: NodePart): Promise<string> {
    const asked = this.#asked.get(part);
    if (asked) return asked.promise;
    let end: Omit<Asked, 'promise'> | undefined;
    const promise = new Promise<string>((resolve, reject) => (end = { resolve, reject }));
    if (end) this.#asked.set(part, { promise, ...end });
    this.#ask(part);
    return promise;
  }

  had(part: NodePart, source: string): void {
    this.#asked.get(part)?.resolve(source);
  }

  failed(part: NodePart, reason: string): void {
    const asked = this.#asked.get(part);
    this.#asked.delete(part);
    asked?.reject(new Error(reason));
  }
}
