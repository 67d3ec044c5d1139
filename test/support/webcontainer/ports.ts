/** What processes and the host's page say to each other about ports. Processes of other tabs are heard as well. */
export type PortMessage =
  | { readonly say: 'listens' | 'closes'; readonly process: string; readonly port: number }
  | {
      readonly say: 'asks';
      readonly process: string;
      readonly port: number;
      readonly id: string;
      readonly method: string;
      readonly path: string;
    }
  | { readonly say: 'answers'; readonly id: string; readonly answer: PortAnswer };

export interface PortAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function portChannel(): BroadcastChannel {
  return new BroadcastChannel('ports');
}

/** The host's side: which process listens where, until it ends. */
export class Ports {
  readonly #told: (port: number, what: 'open' | 'close') => void;
  readonly #channel = portChannel();
  readonly #running = new Set<string>();
  readonly #listening = new Map<number, string>();
  readonly #waiting = new Map<string, (answer: PortAnswer) => void>();

  constructor(told: (port: number, what: 'open' | 'close') => void) {
    this.#told = told;
    this.#channel.onmessage = ({ data }: MessageEvent<PortMessage>) => this.#hear(data);
  }

  begin(process: string): void {
    this.#running.add(process);
  }

  end(process: string): void {
    this.#running.delete(process);
    for (const [port, by] of this.#listening) if (by === process) this.#close(port);
  }

  /** What who listens there answers; `undefined`: nobody does. */
  async ask(port: number, method: string, path: string): Promise<PortAnswer | undefined> {
    const process = this.#listening.get(port);
    if (process === undefined) return undefined;
    const id = crypto.randomUUID();
    const answer = new Promise<PortAnswer>((resolve) => this.#waiting.set(id, resolve));
    this.#channel.postMessage({ say: 'asks', process, port, id, method, path } satisfies PortMessage);
    return answer;
  }

  /** Nothing is heard any more. */
  over(): void {
    this.#channel.close();
  }

  #hear(message: PortMessage): void {
    if (message.say === 'answers') {
      this.#waiting.get(message.id)?.(message.answer);
      this.#waiting.delete(message.id);
    } else if (message.say === 'asks' || !this.#running.has(message.process)) return;
    else if (message.say === 'closes') this.#close(message.port);
    else {
      this.#listening.set(message.port, message.process);
      this.#told(message.port, 'open');
    }
  }

  #close(port: number): void {
    if (this.#listening.delete(port)) this.#told(port, 'close');
  }
}
