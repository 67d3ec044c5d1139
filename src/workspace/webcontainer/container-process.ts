import type { WebContainerProcess } from '@webcontainer/api';
import type { Timer } from '../../base/timer.ts';
import { OutputQueue } from '../embedded/output-queue.ts';
import { ROOT, type Exit, type Process, type SpawnOptions } from '../workspace.ts';
import type { Container } from './container.ts';
import { KILL_GRACE_MS, messagesOf, toBase64 } from './helper.ts';
import type { FrameReader } from './frames.ts';
import { piecesOf } from './pieces.ts';
import { TerminalText } from './terminal-text.ts';

export interface Started {
  readonly container: Container;
  readonly process: WebContainerProcess;
  /** The helper runs it and frames what goes in and out. Absent: its output is a terminal's, its input was ended. */
  readonly reader?: FrameReader;
}

export interface ContainerProcessOptions {
  readonly id: string;
  readonly options: SpawnOptions;
  readonly timer: Timer;
  /** Starts it; rejects with why it cannot be. */
  readonly start: () => Promise<Started>;
  readonly ended: (process: ContainerProcess) => void;
  /** It goes on although it was killed. */
  readonly stuck: () => void;
}

const MAX_OUTPUT = 32 * 1024 * 1024;
const encoder = new TextEncoder();

/** A process in the container as its starter sees it. */
export class ContainerProcess implements Process {
  readonly id: string;
  readonly output: AsyncIterable<string>;
  readonly exited: Promise<Exit>;
  readonly #given: ContainerProcessOptions;
  readonly #queue = new OutputQueue();
  readonly #started = performance.now();
  readonly #cancels: (() => void)[] = [];
  readonly #input: string[] = [];
  #process: WebContainerProcess | undefined;
  #framed = false;
  #printed = 0;
  #stopping: 'killed' | 'timeout' | undefined;
  #resolve: (exit: Exit) => void = () => {};
  #over = false;

  constructor(given: ContainerProcessOptions) {
    this.#given = given;
    this.id = given.id;
    this.output = this.#queue.read();
    this.exited = new Promise((resolve) => (this.#resolve = resolve));
    const { signal, stdin, timeoutMs } = given.options;
    if (stdin !== undefined) {
      if (stdin.length > 0) this.write(stdin);
      this.closeInput();
    }
    if (signal?.aborted) {
      this.#end({ exitCode: 130, reason: 'killed' });
      return;
    }
    const kill = () => this.kill();
    signal?.addEventListener('abort', kill, { once: true });
    this.#cancels.push(() => signal?.removeEventListener('abort', kill));
    given.start().then(
      (started) => {
        if (timeoutMs !== undefined)
          this.#cancels.push(given.timer.after(timeoutMs, () => this.#stop('timeout')));
        void this.#follow(started);
      },
      (error: unknown) => this.lose(error instanceof Error ? error.message : String(error)),
    );
  }

  write(input: string | Uint8Array): void {
    const bytes = typeof input === 'string' ? encoder.encode(input) : input;
    // Lines that every terminal takes.
    for (let at = 0; at < bytes.length; at += 1_500) this.#say(toBase64(bytes.subarray(at, at + 1_500)));
  }

  closeInput(): void {
    this.#say('.');
  }

  kill(): void {
    this.#stop('killed');
  }

  /** What it ran in is gone. */
  lose(reason: string): void {
    if (this.#over) return;
    this.#queue.say(`vitrine: ${reason}\n`);
    this.#end({ exitCode: 137, reason: 'lost' });
  }

  async #follow({ process, reader, container }: Started): Promise<void> {
    const { timer } = this.#given;
    this.#process = process;
    this.#framed = reader !== undefined;
    const exit = process.exit.catch(() => undefined);
    // Killed before it was there.
    if (this.#over || this.#stopping !== undefined) this.#force(process);
    let code: number | undefined;
    if (reader) {
      this.#send(process, this.#input.splice(0));
      const isAwaited = () => this.#stopping === undefined;
      for await (const message of messagesOf(process, reader, { container, timer, isAwaited })) {
        if (this.#over) return;
        if ('output' in message) this.#queue.add(fromBase64(message.output));
        else if ('exit' in message) {
          code = message.exit;
          break;
        }
      }
    } else {
      // The end of the terminal's input: nobody types there.
      void process.input.getWriter().write('\x04');
      const text = this.#given.options.terminal ? undefined : new TerminalText();
      for await (const piece of piecesOf(process, { container, timer })) {
        if (this.#over) return;
        this.#print(text ? text.add(piece) : piece.replaceAll('\r\n', '\n'));
      }
      if (text) this.#print(text.end());
    }
    code ??= await exit;
    if (this.#stopping !== undefined) this.#stopped();
    else if (code === undefined) this.lose('the container ended it');
    else this.#end({ exitCode: code & 255, reason: 'exit' });
  }

  #print(text: string): void {
    if (this.#printed > MAX_OUTPUT || text === '') return;
    this.#printed += text.length;
    this.#queue.say(text);
    if (this.#printed <= MAX_OUTPUT) return;
    this.#queue.say('\nvitrine: stopped, because it printed more than 32 MB\n');
    this.kill();
  }

  #say(line: string): void {
    if (!this.#process) this.#input.push(line);
    else if (this.#framed && !this.#over) this.#send(this.#process, [line]);
  }

  #send(process: WebContainerProcess, lines: readonly string[]): void {
    const writer = process.input.getWriter();
    for (const line of lines) void writer.write(`${line}\n`);
    writer.releaseLock();
  }

  #stop(reason: 'killed' | 'timeout'): void {
    if (this.#over || this.#stopping !== undefined) return;
    this.#stopping = reason;
    if (this.#process) this.#force(this.#process);
    this.#cancels.push(
      this.#given.timer.after(KILL_GRACE_MS, () => {
        this.#queue.say(
          'vitrine: this process goes on although it was ended. Restart the container to be rid of it.\n',
        );
        this.#given.stuck();
        this.#stopped();
      }),
    );
  }

  #force(process: WebContainerProcess): void {
    // What the helper runs is ended by it, and would outlive it otherwise.
    if (this.#framed) this.#send(process, ['!']);
    process.kill();
  }

  #stopped(): void {
    const reason = this.#stopping ?? 'killed';
    this.#end({ exitCode: reason === 'timeout' ? 124 : 137, reason });
  }

  #end(exit: Pick<Exit, 'exitCode' | 'reason'>): void {
    if (this.#over) return;
    this.#over = true;
    for (const cancel of this.#cancels) cancel();
    this.#queue.end();
    this.#given.ended(this);
    this.#resolve({
      ...exit,
      durationMs: performance.now() - this.#started,
      // Where a shell ended cannot be asked here.
      cwd: this.#given.options.cwd ?? ROOT,
      outputMayBeCut: exit.reason !== 'exit',
    });
  }
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
