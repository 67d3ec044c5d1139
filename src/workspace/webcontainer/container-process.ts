import { messageOf } from '../../base/message-of.ts';
import type { WebContainerProcess } from '@webcontainer/api';
import type { Timer } from '../../base/timer.ts';
import { OutputQueue } from '../embedded/output-queue.ts';
import { ROOT, type Exit, type Process, type SpawnOptions } from '../workspace.ts';
import type { Container } from './container.ts';
import { KILL_GRACE_MS, messagesOf, toBase64 } from './helper.ts';
import { typedLine, type FrameReader } from '../../protocol/container-frames.ts';
import { piecesOf } from './pieces.ts';
import { TerminalText } from './terminal-text.ts';
import { END_OF_INPUT, WithoutEcho } from './without-echo.ts';

export interface StartedCommand {
  readonly container: Container;
  readonly process: WebContainerProcess;
  /** Reads the frames of a command that the helper runs. Absent for a command in a plain terminal with no input. */
  readonly reader?: FrameReader;
  /** The text with which the terminal echoes the end of input. */
  readonly echo?: string;
}

export interface ContainerProcessOptions {
  readonly id: string;
  readonly options: SpawnOptions;
  readonly timer: Timer;
  /** Starts the command. Rejects with the reason where it cannot be started. */
  readonly start: () => Promise<StartedCommand>;
  readonly ended: (process: ContainerProcess) => void;
  /** Called when the process was killed and did not end. */
  readonly stuck: () => void;
}

const MAX_OUTPUT = 32 * 1024 * 1024;
const encoder = new TextEncoder();

/** A process in the container, for the code that started it. */
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
  #cwd: string | undefined;
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
      (error: unknown) => this.lose(messageOf(error)),
    );
  }

  write(input: string | Uint8Array): void {
    const bytes = typeof input === 'string' ? encoder.encode(input) : input;
    // Every terminal accepts lines of this length.
    for (let at = 0; at < bytes.length; at += 1_500) this.#say(toBase64(bytes.subarray(at, at + 1_500)));
  }

  closeInput(): void {
    this.#say('.');
  }

  kill(): void {
    this.#stop('killed');
  }

  /** Ends the process because its container is gone. */
  lose(reason: string): void {
    if (this.#over) return;
    this.#queue.say(`vitrine: ${reason}\n`);
    this.#end({ exitCode: 137, reason: 'lost' });
  }

  async #follow({ process, reader, container, echo = '' }: StartedCommand): Promise<void> {
    const { timer } = this.#given;
    this.#process = process;
    this.#framed = reader !== undefined;
    const exit = process.exit.catch(() => undefined);
    // It was killed before it had started.
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
          this.#cwd = message.cwd;
          break;
        }
      }
    } else {
      // Nobody types into this terminal, so its input ends here.
      void process.input.getWriter().write(END_OF_INPUT);
      const shown = new WithoutEcho(echo);
      const text = this.#given.options.terminal ? undefined : new TerminalText();
      for await (const piece of piecesOf(process, { container, timer })) {
        if (this.#over) return;
        const printed = shown.add(piece);
        this.#print(text ? text.add(printed) : printed.replaceAll('\r\n', '\n'));
      }
      this.#print(text ? text.add(shown.end()) + text.end() : shown.end());
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
    for (const line of lines) void writer.write(typedLine(line));
    writer.releaseLock();
  }

  #stop(reason: 'killed' | 'timeout'): void {
    if (this.#over || this.#stopping !== undefined) return;
    this.#stopping = reason;
    if (this.#process) this.#force(this.#process);
    this.#cancels.push(
      this.#given.timer.after(KILL_GRACE_MS, () => {
        this.#queue.say('vitrine: this process could not be stopped. Restart the container to stop it.\n');
        this.#given.stuck();
        this.#stopped();
      }),
    );
  }

  #force(process: WebContainerProcess): void {
    // The helper has to end its command, which would otherwise outlive it.
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
      // The last directory is known only for commands in a terminal that used `cd`.
      cwd: this.#cwd ?? this.#given.options.cwd ?? ROOT,
      outputMayBeCut: exit.reason !== 'exit',
    });
  }
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
