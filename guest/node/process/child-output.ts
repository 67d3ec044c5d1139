import type { Buffer as NodeBuffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import { nodeError } from '../builtins/internal/errors.ts';
import type { LoadBuiltin } from '../builtins/builtin.ts';
import type { ChildProcess } from './child-class.ts';
import { DEFAULT_MAX_BUFFER, type SpawnOptions } from './child-request.ts';
import { ownTimers } from '../loop/own-timers.ts';

export type Done = (error: Error | null, stdout: unknown, stderr: unknown) => void;

interface Output {
  readonly name: string;
  readonly stream: Readable | null;
  readonly pieces: (Uint8Array | string)[];
  size: number;
}

/** Gathers what a child writes, for the callback of `exec` and `execFile`. */
export class OutputGatherer {
  readonly #Buffer: typeof NodeBuffer;
  readonly #load: LoadBuiltin;
  readonly #child: ChildProcess;
  readonly #options: SpawnOptions;
  readonly #done: Done | undefined;
  readonly #cmd: string;
  readonly #outputs: readonly [Output, Output];
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #failed: Error | undefined;
  #killed = false;
  #isOver = false;

  constructor(
    load: LoadBuiltin,
    child: ChildProcess,
    options: SpawnOptions,
    done: Done | undefined,
    cmd: string,
  ) {
    this.#load = load;
    this.#Buffer = load('buffer').Buffer;
    this.#child = child;
    this.#options = options;
    this.#done = done;
    this.#cmd = cmd;
    this.#outputs = [
      { name: 'stdout', stream: child.stdout, pieces: [], size: 0 },
      { name: 'stderr', stream: child.stderr, pieces: [], size: 0 },
    ];
    if (options.timeout) this.#timer = ownTimers().setTimeout(() => this.#kill(), options.timeout);
    for (const output of this.#outputs) this.#gather(output);
    child.on('error', (error: Error) => {
      this.#failed = error;
      this.#destroyStreams();
      this.#end(null, null);
    });
    child.on('close', (code: number | null, signal: string | null) => this.#end(code, signal));
  }

  #destroyStreams(): void {
    for (const { stream } of this.#outputs) stream?.destroy();
  }

  #kill(): void {
    this.#destroyStreams();
    this.#killed = true;
    this.#child.kill(this.#options.killSignal ?? 'SIGTERM');
  }

  #gather(output: Output): void {
    const { stream } = output;
    const { encoding, maxBuffer = DEFAULT_MAX_BUFFER } = this.#options;
    if (typeof encoding === 'string' && this.#Buffer.isEncoding(encoding)) stream?.setEncoding(encoding);
    stream?.on('data', (piece: Uint8Array | string) => {
      const room = maxBuffer - output.size;
      output.size +=
        typeof piece === 'string'
          ? this.#Buffer.byteLength(piece, stream.readableEncoding ?? 'utf8')
          : piece.length;
      const isOver = output.size > maxBuffer;
      // For text, node keeps as many characters as there was room for bytes.
      output.pieces.push(isOver ? piece.slice(0, Math.max(0, room)) : piece);
      if (!isOver || this.#failed) return;
      const text = `${output.name} maxBuffer length exceeded`;
      this.#failed = nodeError('ERR_CHILD_PROCESS_STDIO_MAXBUFFER', text, RangeError);
      this.#kill();
    });
  }

  #contentOf({ stream, pieces }: Output): string | NodeBuffer {
    if (stream?.readableEncoding) return pieces.join('');
    return this.#Buffer.concat(
      pieces.map((piece) => (typeof piece === 'string' ? this.#Buffer.from(piece) : piece)),
    );
  }

  #end(code: number | null, signal: string | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    ownTimers().clearTimeout(this.#timer);
    const done = this.#done;
    if (!done) return;
    const [stdout, stderr] = [this.#contentOf(this.#outputs[0]), this.#contentOf(this.#outputs[1])];
    if (!this.#failed && code === 0 && signal === null) return done(null, stdout, stderr);
    const failed = this.#failed ?? this.#failure(code, signal, String(stderr));
    done(Object.assign(failed, { cmd: this.#cmd }), stdout, stderr);
  }

  #failure(code: number | null, signal: string | null, stderr: string): Error {
    const shown = code !== null && code < 0 ? this.#load('util').getSystemErrorName(code) : code;
    const failed = new Error(`Command failed: ${this.#cmd}\n${stderr}`);
    return Object.assign(failed, { code: shown, killed: this.#child.killed || this.#killed, signal });
  }
}
