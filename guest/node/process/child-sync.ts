import type { Buffer as NodeBuffer } from 'node:buffer';
import { copyOf } from '../builtins/internal/bytes.ts';
import { argTypeError, nodeError } from '../builtins/internal/errors.ts';
import { checkedCommand, checkLimits, signalOf } from './child-arguments.ts';
import {
  DEFAULT_MAX_BUFFER,
  requestOf,
  spawnError,
  startOf,
  streamsOf,
  writeTo,
  type ChildContext,
  type ChildRequest,
  type SpawnOptions,
} from './child-request.ts';
import { changedSync } from './prepared-spawn.ts';

type Content = string | NodeBuffer | null;

interface SyncResult {
  pid: number;
  output: Content[] | null;
  stdout: Content;
  stderr: Content;
  status: number | null;
  signal: string | null;
  error?: Error;
}

/** Runs a child and waits for its end. */
function runSync(context: ChildContext, request: ChildRequest): SyncResult {
  const { options } = request;
  checkLimits({ ...options }, true);
  const { maxBuffer = DEFAULT_MAX_BUFFER, timeout, killSignal, input } = options;
  if (Array.isArray(options.stdio) && options.stdio.includes('ipc'))
    throw nodeError('ERR_IPC_SYNC_FORK', 'IPC cannot be used with synchronous forks');
  if (input && typeof input !== 'string' && !ArrayBuffer.isView(input))
    throw argTypeError('options.stdio[0]', ['Buffer', 'TypedArray', 'DataView', 'string'], input);
  const failure = (code: string) => spawnError('spawnSync', code, request.file, request.args);
  const start = startOf(context, changedSync(context, request));
  if ('failed' in start) return failedResult(failure(start.failed));
  const stdio = streamsOf(options.stdio ?? 'pipe');
  const inherits = [0, 1, 2].filter((fd) => stdio[fd] === 'inherit' && (fd > 0 || input === undefined));
  const ran = context.link.runChild(start, copyOf(inputOf(context, input)), {
    inherits,
    maxBytes: maxBuffer,
    ...(timeout !== undefined && timeout > 0 && { timeoutMs: timeout }),
    ...(killSignal !== undefined && { killSignal: signalOf(killSignal) }),
  });
  if (ran.failed) return failedResult(failure(ran.failed.code));
  const [stdout, stderr] = ([1, 2] as const).map((fd) => {
    const bytes = fd === 1 ? ran.stdout : ran.stderr;
    const how = stdio[fd];
    if (typeof how === 'number') writeTo(context, how, bytes);
    return how === 'pipe' ? contentOf(context, bytes, options) : null;
  });
  const result: SyncResult = {
    pid: ran.pid,
    output: [null, stdout ?? null, stderr ?? null],
    stdout: stdout ?? null,
    stderr: stderr ?? null,
    status: ran.signal === undefined ? ran.exitCode : null,
    signal: ran.signal ?? null,
  };
  if (ran.timedOut) result.error = failure('ETIMEDOUT');
  else if (ran.overflowed) result.error = failure('ENOBUFS');
  return result;
}

function failedResult(error: Error): SyncResult {
  return { error, status: null, signal: null, output: null, pid: 0, stdout: null, stderr: null };
}

function inputOf({ load }: ChildContext, input: SpawnOptions['input']): Uint8Array {
  if (typeof input === 'string') return load('buffer').Buffer.from(input);
  if (!input) return new Uint8Array(0);
  return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
}

function contentOf(
  { load }: ChildContext,
  bytes: Uint8Array,
  { encoding = 'buffer' }: SpawnOptions,
): Content {
  const buffer = load('buffer').Buffer.from(bytes);
  return encoding === 'buffer' || encoding === null ? buffer : buffer.toString(encoding);
}

/** Returns the output of a child that succeeded. Throws node's error for one that failed. */
function outputOf(
  { link, load }: ChildContext,
  result: SyncResult,
  cmd: string,
  options: SpawnOptions,
): Content {
  const { stderr } = result;
  if (options.stdio === undefined && stderr)
    link.print(2, typeof stderr === 'string' ? load('buffer').Buffer.from(stderr) : stderr);
  if (result.error) throw Object.assign(result.error, result);
  if (result.status !== 0) {
    const text = stderr ? String(stderr) : '';
    const error = new Error(`Command failed: ${cmd}${text ? `\n${text}` : ''}`);
    throw Object.assign(error, result);
  }
  return result.stdout;
}

/** Makes the functions of `child_process` that wait for the child's end. */
export function makeSyncFunctions(context: ChildContext) {
  return {
    spawnSync(file: unknown, args?: unknown, options?: unknown): SyncResult {
      return runSync(context, requestOf(context, file, args, options));
    },
    execSync(command: unknown, options?: unknown): Content {
      const whole = checkedCommand(command, options);
      const request = requestOf(context, whole.command, [], whole.options);
      return outputOf(context, runSync(context, request), whole.command, request.options);
    },
    execFileSync(file: unknown, given?: unknown, more?: unknown): Content {
      const request = requestOf(context, file, given, more);
      const cmd = [file, ...(request.options.shell ? [] : request.args)].join(' ');
      return outputOf(context, runSync(context, request), cmd, request.options);
    },
  };
}
