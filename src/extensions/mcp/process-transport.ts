import { deserializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import type { Process } from '../../workspace/workspace.ts';

/** The maximum length of a message, in characters. */
const LINE_CHARACTERS = 16 * 1024 * 1024;

/**
 * Exchanges messages over the standard streams of a process of the workspace, one JSON text per line. Standard error is
 * merged in, so other lines are skipped; the last of them are reported when the process ends.
 */
export class ProcessTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #start: () => Process;
  #process: Process | undefined;
  #output: string[] = [];

  constructor(start: () => Process) {
    this.#start = start;
  }

  /** The last lines that it printed besides messages. */
  get output(): string {
    return this.#output.join('\n');
  }

  async start(): Promise<void> {
    this.#process = this.#start();
    void this.#read(this.#process);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#process) throw new Error('The program has ended.');
    this.#process.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#process?.kill();
    await this.#process?.exited;
  }

  async #read(process: Process): Promise<void> {
    let rest = '';
    for await (const chunk of process.output) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > LINE_CHARACTERS) rest = '';
      for (const line of lines) this.#take(line);
    }
    await process.exited;
    this.#process = undefined;
    this.onclose?.();
  }

  #take(line: string): void {
    const message = messageOf(line);
    if (message) this.onmessage?.(message);
    else if (line.trim() !== '') this.#output = [...this.#output, line].slice(-20);
  }
}

function messageOf(line: string): JSONRPCMessage | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return deserializeMessage(line);
  } catch {
    return undefined;
  }
}
