import { deserializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import type { Process } from '../../workspace/workspace.ts';

/** A line longer than this is no message. */
const LINE_CHARACTERS = 16 * 1024 * 1024;

/**
 * Messages over the standard streams of a process of the workspace, one JSON text a line. Its standard error comes
 * merged in, so a line that is no message is skipped; the last of them are told when it ends.
 */
export class ProcessTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #start: () => Process;
  #process: Process | undefined;
  #said: string[] = [];

  constructor(start: () => Process) {
    this.#start = start;
  }

  /** What it printed besides messages, the last lines. */
  get said(): string {
    return this.#said.join('\n');
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
    else if (line.trim() !== '') this.#said = [...this.#said, line].slice(-20);
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
