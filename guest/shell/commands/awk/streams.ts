import { fileError } from '../../files.ts';
import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { encode, joined, open, sourceOf, type Writer } from '../../kit/io.ts';
import { RecordReader } from './records.ts';

interface Output {
  readonly kind: '>' | '>>' | '|';
  parts: string[];
  /** True once something has been written to the file. */
  begun: boolean;
}

/** The files and commands that a program reads and writes besides standard input and output. */
export class Streams {
  readonly #call: ProgramCall;
  readonly #out: Writer;
  readonly #outputs = new Map<string, Output>();
  readonly #inputs = new Map<string, RecordReader>();

  constructor(call: ProgramCall, out: Writer) {
    this.#call = call;
    this.#out = out;
  }

  write(kind: Output['kind'], name: string, text: string): Promise<void> | undefined {
    if (kind !== '|') {
      if (name === '/dev/stdout' || name === '-') return this.#out.write(text);
      if (name === '/dev/stderr') return this.#error(text);
    }
    let output = this.#outputs.get(name);
    if (!output) this.#outputs.set(name, (output = { kind, parts: [], begun: false }));
    output.parts.push(text);
    return undefined;
  }

  async #error(text: string): Promise<void> {
    await this.#out.flush();
    await this.#call.stderr.write(encode(text));
  }

  /** Writes the buffered text of one file. Text for a command waits until the command's stream is closed. */
  async #flushFile(name: string, output: Output): Promise<void> {
    if (output.kind === '|' || (output.begun && output.parts.length === 0)) return;
    const bytes = encode(output.parts.join(''));
    const path = this.#call.path(name);
    try {
      if (output.begun || output.kind === '>>') await this.#call.files.appendFile(path, bytes);
      else await this.#call.files.writeFile(path, bytes);
    } catch (error) {
      throw new Complaint(`cmd. line:1: fatal: cannot redirect to \`${name}': ${fileError(error)}`);
    }
    output.begun = true;
    output.parts = [];
  }

  /** Writes everything that others may read, before a command runs and at the end. */
  async flush(): Promise<void> {
    await this.#out.flush();
    for (const [name, output] of this.#outputs) await this.#flushFile(name, output);
  }

  async close(name: string): Promise<number> {
    const output = this.#outputs.get(name);
    const wasInput = this.#inputs.delete(name);
    if (!output) return wasInput ? 0 : -1;
    this.#outputs.delete(name);
    if (output.kind !== '|') {
      await this.#flushFile(name, output);
      return 0;
    }
    await this.flush();
    return this.#call.run(['sh', '-c', name], { stdin: sourceOf(encode(output.parts.join(''))) });
  }

  async closeAll(): Promise<void> {
    for (const name of [...this.#outputs.keys()]) await this.close(name);
  }

  async system(command: string): Promise<number> {
    await this.flush();
    return this.#call.run(['sh', '-c', command]);
  }

  /** Returns the reader of a file or of a command's output; undefined where it cannot be read. */
  async input(kind: 'file' | 'command', name: string): Promise<RecordReader | undefined> {
    const known = this.#inputs.get(name);
    if (known) return known;
    await this.flush();
    try {
      const source = kind === 'file' ? await open(this.#call, name) : sourceOf(await this.#printedBy(name));
      const reader = new RecordReader(source, this.#out);
      this.#inputs.set(name, reader);
      return reader;
    } catch (error) {
      if (error instanceof Complaint) return undefined;
      throw error;
    }
  }

  async #printedBy(command: string): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    await this.#call.run(['sh', '-c', command], { stdout: { write: (bytes) => void parts.push(bytes) } });
    return joined(parts);
  }
}
