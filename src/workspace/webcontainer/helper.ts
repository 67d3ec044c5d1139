import type { WebContainerProcess } from '@webcontainer/api';
import type * as z from 'zod';
import type { Timer } from '../../base/timer.ts';
import { ROOT, WorkspaceError } from '../workspace.ts';
import type { Container } from './container.ts';
import { workspaceErrorOf } from './errors.ts';
import { FrameReader, type HelperRequest } from '../../protocol/container-frames.ts';
import { piecesOf, type PiecesOptions } from './pieces.ts';
import { helperAnswers, helperMessage } from './protocol.ts';
import { echoIn, END_OF_INPUT } from './without-echo.ts';

const ASK_MS = 30_000;
const NO_ANSWER = 'The helper in the container gives no answer.';
/** Longer requests are passed in a file, because the limit on arguments is unknown. */
const MAX_ARGUMENT = 4_000;
/** How long a killed process may take to end. */
export const KILL_GRACE_MS = 2_000;

const PRINTED: Readonly<Record<string, string>> = { NO_COLOR: '1', FORCE_COLOR: '0', NODE_NO_WARNINGS: '1' };

export interface HelperOptions {
  readonly container: Container;
  /** Returns the helper's program text. */
  readonly source: () => Promise<string>;
  readonly timer: Timer;
  /** Called when one of its processes could not be ended. */
  readonly stuck: () => void;
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** After `ms`, the answer is the last partial one, or else `instead`. */
  readonly timeout?: { readonly ms: number; readonly instead: unknown };
}

/** Sends requests to the helper program in the container, which can do what the client cannot. Each is one process. */
export class Helper {
  readonly #options: HelperOptions;
  #installed: Promise<string> | undefined;
  /** Whether only the shell can find Node. */
  #byShell = false;
  /** The text with which the terminal echoes the end of input. Empty where it does not. */
  #echo = '';
  /** How many processes were started for requests. */
  started = 0;

  constructor(options: HelperOptions) {
    this.#options = options;
  }

  /** Known once the helper is {@link prepare}d. */
  get echo(): string {
    return this.#echo;
  }

  /** Sends a request. Rejects with a WorkspaceError, with ECANCELED when `signal` is aborted. */
  async ask<Name extends keyof typeof helperAnswers>(
    name: Name,
    request: HelperRequest,
    { signal, timeout }: AskOptions = {},
  ): Promise<z.output<(typeof helperAnswers)[Name]>> {
    if (signal?.aborted) throw new WorkspaceError('ECANCELED', '');
    const { timer, container } = this.#options;
    const { process, reader } = await this.#begin(request, signal);
    let partial: unknown;
    const answered = container.whileAlive(async () => {
      const how = { container, timer, isAwaited: () => true };
      for await (const message of messagesOf(process, reader, how)) {
        if ('partial' in message) ({ partial } = message);
        else if ('answer' in message) return message.answer;
        else if ('failed' in message)
          throw workspaceErrorOf(Object.assign(new Error(message.failed.message), message.failed), '');
      }
      throw new WorkspaceError('EGONE', '', 'The helper in the container ended without an answer.');
    });
    const answer = await new Promise<unknown>((resolve, reject) => {
      const stop = timer.after(timeout?.ms ?? ASK_MS, () => {
        this.#kill(process);
        if (timeout)
          resolve(partial === undefined ? timeout.instead : { ...Object(partial), timedOut: true });
        else container.end(NO_ANSWER);
      });
      const cancel = () => {
        this.#kill(process);
        reject(new WorkspaceError('ECANCELED', ''));
      };
      signal?.addEventListener('abort', cancel, { once: true });
      answered.then(resolve, reject).finally(() => {
        stop();
        signal?.removeEventListener('abort', cancel);
      });
    });
    const parsed = helperAnswers[name].safeParse(answer);
    if (parsed.success) return parsed.data as z.output<(typeof helperAnswers)[Name]>;
    throw new WorkspaceError('EINVAL', '', 'The helper in the container sent an invalid answer.');
  }

  async #begin(request: HelperRequest, signal: AbortSignal | undefined) {
    const starting = this.start(request);
    if (!signal) return starting;
    const started = new AbortController();
    const aborted = new Promise<never>((_, reject) => {
      const abort = () => reject(new WorkspaceError('ECANCELED', ''));
      signal.addEventListener('abort', abort, { signal: started.signal });
    });
    try {
      return await Promise.race([starting, aborted]);
    } catch (error) {
      starting.then(
        ({ process }) => this.#kill(process),
        () => {},
      );
      throw error;
    } finally {
      started.abort();
    }
  }

  /** Installs the program and returns its path. For a moment its file is in the workspace, so nothing else may run before. */
  prepare(): Promise<string> {
    this.#installed ??= this.#install();
    // After a failure, the next request tries again.
    this.#installed.catch(() => (this.#installed = undefined));
    return this.#installed;
  }

  async start(
    request: HelperRequest,
    cwd = '',
  ): Promise<{ process: WebContainerProcess; reader: FrameReader }> {
    const { container } = this.#options;
    const program = await this.prepare();
    const nonce = random();
    const json = JSON.stringify(request);
    let argument = toBase64(new TextEncoder().encode(json));
    if (argument.length > MAX_ARGUMENT) {
      const file = `${ROOT}/.vitrine-${nonce}.json`;
      await container.write(file, new TextEncoder().encode(json));
      argument = `@${file}`;
    }
    this.started++;
    const process = await this.#node([program, nonce, argument], cwd);
    return { process, reader: new FrameReader(nonce) };
  }

  /** Runs node with these arguments, which must contain no single quotes. */
  async #node(words: readonly string[], cwd = ''): Promise<WebContainerProcess> {
    const options = {
      ...(cwd !== '' && { cwd }),
      env: { ...PRINTED },
      terminal: { cols: 500, rows: 50 },
    };
    const { container } = this.#options;
    const process = this.#byShell
      ? await container.spawn('jsh', ['-c', `node ${words.map((word) => `'${word}'`).join(' ')}`], options)
      : await container.spawn('node', [...words], options);
    process.exit.catch(() => {});
    return process;
  }

  /** Copies the program to a folder outside the workspace, which the client itself cannot write. */
  async #install(): Promise<string> {
    const { container, source } = this.#options;
    const name = `.vitrine-${random()}.cjs`;
    await container.write(
      `${ROOT}/${name}`,
      new TextEncoder().encode(`const vitrineRequire = require;\n${await source()}`),
    );
    const move = [
      'const fs = require("fs").promises;',
      `const to = require("os").tmpdir() + "/${name}";`,
      `fs.readFile("${name}").then((bytes) => fs.writeFile(to, bytes)).then(() => fs.rm("${name}", { force: true }))`,
      `.then(() => process.stdout.write("@@${name}" + JSON.stringify({ answer: to }) + "${name}@@"));`,
    ].join(' ');
    const moved = () => container.whileAlive(() => this.#moved(move, name));
    // In some builds of the runtime, `spawn` finds only the shell: for node it rejects, or exits with 127.
    const direct = await moved().catch((error: unknown) => {
      if (container.over) throw error;
      return undefined;
    });
    this.#byShell = direct === undefined;
    const program = direct ?? (await moved());
    if (program === undefined)
      throw new WorkspaceError('EGONE', '', 'The helper could not be installed in the container.');
    return program;
  }

  async #moved(move: string, nonce: string): Promise<string | undefined> {
    const { container, timer } = this.#options;
    const process = await this.#node(['-e', move]);
    // The process reads no input, so this only shows how the terminal echoes it.
    void process.input.getWriter().write(END_OF_INPUT);
    const frames = new FrameReader(nonce);
    let printed = '';
    const late = timer.after(ASK_MS, () => container.end(NO_ANSWER));
    let code: number | undefined;
    process.exit.then(
      (ended) => (code = ended),
      () => {},
    );
    try {
      const how = { container, timer, isAwaited: () => code === 0 };
      for await (const piece of piecesOf(process, how)) {
        printed += piece;
        for (const message of frames.add(piece).map(helperMessage))
          if ('answer' in message && typeof message.answer === 'string') return message.answer;
      }
      return undefined;
    } finally {
      late();
      this.#echo = echoIn(printed);
    }
  }

  #kill(process: WebContainerProcess): void {
    let gone = false;
    process.exit.then(
      () => (gone = true),
      () => (gone = true),
    );
    process.kill();
    this.#options.timer.after(KILL_GRACE_MS, () => gone || this.#options.stuck());
  }
}

export async function* messagesOf(process: WebContainerProcess, frames: FrameReader, options: PiecesOptions) {
  for await (const piece of piecesOf(process, options))
    for (const message of frames.add(piece)) yield helperMessage(message);
}

function random(): string {
  return crypto.randomUUID().replaceAll('-', '');
}

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
