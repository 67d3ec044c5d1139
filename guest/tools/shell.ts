import { fromBase64 } from '../../src/base/base64.ts';
import { shellWord } from '../../src/base/shell-word.ts';
import { toBase64 } from './world.ts';

export interface CommandResult {
  readonly exitCode: number;
  readonly output: string;
}

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
}

/** Runs a command in the workspace's shell, which asks for permission first. */
export type Exec = (command: string, options: RunOptions) => Promise<CommandResult>;

/** Bun's `$`: a template whose command runs when it is awaited. Each value is quoted, so that it is one word. */
export function shellOf(exec: Exec) {
  const $ = (parts: TemplateStringsArray, ...values: readonly unknown[]) =>
    new ShellRun(
      exec,
      parts.map((part, index) => part + (index < values.length ? words(values[index]) : '')).join(''),
    );
  return Object.assign($, { escape: quoted });
}

class ShellRun implements PromiseLike<ShellOutput> {
  readonly #exec: Exec;
  readonly #command: string;
  readonly #options: RunOptions = {};
  #throws = true;
  #ran: Promise<ShellOutput> | undefined;

  constructor(exec: Exec, command: string) {
    this.#exec = exec;
    this.#command = command;
  }

  cwd(path: string): this {
    this.#options.cwd = path;
    return this;
  }

  env(values: Record<string, string>): this {
    this.#options.env = values;
    return this;
  }

  /** Does nothing: the output goes only to the tool anyway. */
  quiet(): this {
    return this;
  }

  nothrow(): this {
    return this.throws(false);
  }

  throws(throws: boolean): this {
    this.#throws = throws;
    return this;
  }

  async text(): Promise<string> {
    return (await this.#run()).text();
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async *lines(): AsyncGenerator<string> {
    yield* (await this.text()).replace(/\n$/, '').split('\n');
  }

  then<A = ShellOutput, B = never>(
    done?: ((output: ShellOutput) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#run().then(done, failed);
  }

  catch<B>(failed: (reason: unknown) => B | PromiseLike<B>): Promise<ShellOutput | B> {
    return this.#run().catch(failed);
  }

  finally(ended: () => void): Promise<ShellOutput> {
    return this.#run().finally(ended);
  }

  #run(): Promise<ShellOutput> {
    this.#ran ??= this.#exec(this.#command, this.#options).then((ran) => {
      const output = new ShellOutput(ran);
      if (this.#throws && ran.exitCode !== 0)
        throw Object.assign(new Error(`Failed with exit code ${ran.exitCode}: ${ran.output.trim()}`), {
          exitCode: ran.exitCode,
          stdout: output.stdout,
          stderr: output.stderr,
        });
      return output;
    });
    return this.#ran;
  }
}

/** The result of a command. Standard error is part of `stdout`, because both come as one stream. */
class ShellOutput {
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr = new Uint8Array();
  readonly #text: string;

  constructor({ exitCode, output }: CommandResult) {
    this.exitCode = exitCode;
    this.#text = output;
    const bytes = fromBase64(toBase64(output));
    const buffer: unknown = Reflect.get(globalThis, 'Buffer');
    this.stdout = isBufferMaker(buffer) ? buffer.from(bytes) : bytes;
  }

  text(): string {
    return this.#text;
  }

  json(): unknown {
    return JSON.parse(this.#text);
  }

  toString(): string {
    return this.#text;
  }
}

function isBufferMaker(value: unknown): value is { from(bytes: Uint8Array): Uint8Array } {
  return typeof value === 'function' && 'from' in value && typeof value.from === 'function';
}

function words(value: unknown): string {
  if (Array.isArray(value)) return value.map(words).join(' ');
  if (typeof value === 'object' && value !== null && 'raw' in value) return String(value.raw);
  return quoted(String(value));
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellWord(text);
}
