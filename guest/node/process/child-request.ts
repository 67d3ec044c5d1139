import type { Duplex } from 'node:stream';
import type { LoadBuiltin } from '../builtins/builtin.ts';
import { systemError } from '../fs/errors.ts';
import { joined } from '../loader/files.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { EventLoop } from '../loop/loop.ts';
import type { ChildStart } from '../../shared/protocol.ts';
import { checkedStart } from './child-arguments.ts';
import type { Serialization } from './child-channel.ts';
import type { StandardInput } from './standard-input.ts';

export type Stdio =
  'pipe' | 'ignore' | 'inherit' | 'ipc' | 'overlapped' | number | null | undefined | { readonly fd?: number };

export interface SpawnOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly argv0?: string;
  readonly stdio?: Stdio | readonly Stdio[];
  readonly shell?: boolean | string;
  readonly detached?: boolean;
  readonly timeout?: number;
  readonly killSignal?: string | number;
  readonly maxBuffer?: number;
  readonly encoding?: BufferEncoding | 'buffer' | null;
  readonly input?: string | Uint8Array;
  readonly signal?: AbortSignal;
  readonly execPath?: string;
  readonly execArgv?: readonly string[];
  readonly silent?: boolean;
  readonly serialization?: Serialization;
}

/** The services of the process that its children need. */
export interface ChildContext {
  readonly link: KernelLink;
  readonly loop: EventLoop;
  readonly load: LoadBuiltin;
  readonly process: NodeJS.Process;
  readonly input: Pick<StandardInput, 'pass' | 'lendKeyboard'>;
  /** Finds a program along PATH. The result is of kind `shell` for a command of the shell. */
  readonly findProgram: (name: string, cwd: string, path: string) => Program;
}

export type Program =
  | { readonly kind: 'node' }
  | { readonly kind: 'shell' }
  | { readonly kind: 'missing'; readonly code: 'ENOENT' | 'EACCES' };

/** A program to start, with arguments and options that passed node's checks. */
export interface ChildRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: SpawnOptions;
}

export const DEFAULT_MAX_BUFFER = 1024 * 1024;

const STREAMS = ['stdin', 'stdout', 'stderr'] as const;

/** Checks the arguments of `spawn` and `spawnSync`. */
export function requestOf(
  { load, process }: ChildContext,
  file: unknown,
  given?: unknown,
  more?: unknown,
): ChildRequest {
  const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  return checkedStart(load, file, given, more, user);
}

/** Returns the request to the kernel, or the code of the error if the program cannot start. */
export function startOf(
  { link, process, findProgram }: ChildContext,
  { file, args, options }: ChildRequest,
): Omit<ChildStart, 'id'> | { readonly failed: string } {
  const cwd = options.cwd ? joined(process.cwd(), options.cwd) : process.cwd();
  const env = environmentOf(options.env ?? process.env);
  const stdio = streamsOf(options.stdio);
  const inherited = STREAMS.flatMap((name, fd) =>
    stdio[fd] === 'inherit' && process[name].isTTY ? [fd] : [],
  );
  const { columns = 80, rows = 24 } = inherited.length > 0 ? process.stdout : {};
  const rest = {
    cwd,
    env,
    ...(inherited.length > 0 && { terminal: { streams: inherited, columns, rows } }),
    ...(options.detached && { detached: true }),
  };
  if (link.look(cwd) !== 'directory') return { failed: 'ENOENT' };
  const program = findProgram(file, cwd, env.PATH ?? '/usr/bin:/bin');
  if (program.kind === 'missing') return { failed: program.code };
  if (program.kind === 'node') return { program: { kind: 'node', args: [...args] }, ...rest };
  const isShell = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da)?sh$/.test(file);
  if (isShell && args[0] === '-c' && args[1] !== undefined)
    return {
      program: { kind: 'shell', script: args[1], args: args.slice(3), name: args[2] ?? file },
      ...rest,
    };
  const path = file.includes('/') ? joined(cwd, file) : file;
  return { program: { kind: 'shell', script: [path, ...args].map(quote).join(' '), args: [] }, ...rest };
}

function environmentOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const pairs: [string, string][] = [];
  for (const name in env) if (env[name] !== undefined) pairs.push([name, String(env[name])]);
  return Object.fromEntries(pairs);
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns how each stream of a child is connected, at least for the three standard ones. */
export function streamsOf(stdio: SpawnOptions['stdio']): readonly Stdio[] {
  const list: readonly Stdio[] = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio];
  return Array.from({ length: Math.max(3, list.length) }, (_, fd) => {
    const each = list[fd];
    if (each === undefined || each === null) return fd < 3 ? 'pipe' : 'ignore';
    if (each === 'overlapped') return 'pipe';
    if (typeof each === 'number') return each === fd ? 'inherit' : each;
    if (typeof each === 'object') return each.fd === fd ? 'inherit' : (each.fd ?? 'pipe');
    return each;
  });
}

export function isStream(value: unknown): value is Duplex {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pipe' in value &&
    typeof Reflect.get(value, 'fd') !== 'number'
  );
}

/** Writes output of a child to a descriptor of this process. */
export function writeTo({ link, load }: ChildContext, fd: number, bytes: Uint8Array): void {
  if (fd === 1 || fd === 2) link.print(fd, bytes);
  else load('fs').writeSync(fd, bytes);
}

export function spawnError(
  syscall: string,
  code: string,
  file: string,
  args: readonly string[],
): NodeJS.ErrnoException {
  const error = Object.assign(systemError(code, `${syscall} ${file}`), { path: file, spawnargs: [...args] });
  error.message = `${syscall} ${file} ${code}`;
  return error;
}
