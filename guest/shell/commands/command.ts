import { defineCommand, type Command, type ExecResult, type ResolvedCommandContext } from 'just-bash/browser';
import type { IFileSystem } from 'just-bash';

export { fileError } from '../files.ts';

/** What the shell gives every command of ours. */
export interface Host {
  /** The shell's files themselves: the ones in a command's context copy every byte that passes. */
  readonly files: IFileSystem;
  readonly commands: readonly string[];
  aborted(): boolean;
}

export interface Call {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: ReadonlyMap<string, string>;
  readonly files: IFileSystem;
  readonly host: Host;
  /** Reads standard input to its end. */
  stdin(): Uint8Array;
  path(name: string): string;
  /** Runs words as a command of the shell, with nothing in them expanded again. */
  run(words: readonly string[], stdin?: Uint8Array): Promise<ExecResult>;
  /** Just-bash's own command of this name. */
  original(args: readonly string[]): Promise<Output>;
}

export interface Output {
  readonly stdout?: string | Uint8Array;
  readonly stderr?: string;
  readonly code?: number;
}

export type Implementation = (call: Call) => Output | Promise<Output>;

/** A complaint that ends the command: printed as `name: message`, exit code 2 unless told. */
export class Complaint extends Error {
  readonly code: number;

  constructor(message: string, code = 2) {
    super(message);
    this.code = code;
  }
}

export function command(host: Host, name: string, implementation: Implementation): Command {
  return defineCommand(name, async (args, context) => {
    try {
      return finish(await implementation(callOf(host, args, context)));
    } catch (error) {
      if (error instanceof Complaint)
        return finish({ stderr: `${name}: ${error.message}\n`, code: error.code });
      throw error;
    }
  });
}

function callOf(host: Host, args: readonly string[], context: ResolvedCommandContext): Call {
  return {
    args,
    host,
    files: context.fs,
    cwd: context.cwd,
    env: context.env,
    stdin: () => bytesOf(context.stdin),
    async original(words) {
      if (!context.origCommand) throw new Complaint('is not there', 127);
      const { stdout, stderr, exitCode, stdoutKind } = await context.origCommand([...words]);
      return { stdout: stdoutKind === 'bytes' ? bytesOf(stdout) : stdout, stderr, code: exitCode };
    },
    path: (name) => host.files.resolvePath(context.cwd, name),
    async run([first = 'true', ...rest], stdin) {
      if (!context.exec) throw new Complaint('cannot run other commands here', 1);
      return context.exec(quote(first), {
        cwd: context.cwd,
        env: context.exportedEnv ?? {},
        args: rest,
        stdin: stdin ? latin1Of(stdin) : '',
        stdinKind: 'bytes',
        ...(context.signal && { signal: context.signal }),
      });
    },
  };
}

function finish({ stdout = '', stderr = '', code = 0 }: Output): ExecResult {
  if (typeof stdout === 'string') return { stdout, stdoutKind: 'text', stderr, exitCode: code };
  return { stdout: latin1Of(stdout), stdoutKind: 'bytes', stdoutEncoding: 'binary', stderr, exitCode: code };
}

export function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The shell carries bytes as strings of one character each; its type for them is opaque. */
export function bytesOf(bytes: unknown): Uint8Array {
  const text = typeof bytes === 'string' ? bytes : '';
  const buffer = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) buffer[i] = text.charCodeAt(i);
  return buffer;
}

export function latin1Of(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return text;
}

const decoder = new TextDecoder();

export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
