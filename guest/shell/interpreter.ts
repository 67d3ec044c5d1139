import type { IFileSystem } from 'just-bash';
import { fileError } from './files.ts';
import { untilExit } from './traps.ts';

export { runErrTrap, trap, untilExit } from './traps.ts';

/**
 * What the patches of build/just-bash-patches.ts call from inside just-bash's interpreter: where the output of the
 * statement being run goes, standard input read when it is first asked for, and `trap`. Shapes are the interpreter's own.
 */

/** The text of a result is Unicode, or bytes with one character each. */
export interface Result {
  stdout: string;
  stderr: string;
  exitCode: number;
  stdoutKind?: 'text' | 'bytes' | undefined;
  stdoutEncoding?: 'binary' | undefined;
  internalOutputAccounting?: { stdout: number; stderr: number } | undefined;
}

/** The person or model reading it; into one pipe or file with standard error in its place; into two of them. */
export type Destination = 'live' | 'merged' | 'apart';

export interface Live {
  send(result: Result): void | Promise<void>;
  /** Standard input, one character a byte; null once it has been read to its end. */
  input: { line(): Promise<string>; rest(): Promise<string> } | null;
  /** What `read` took from it and left over. */
  left: string;
  /** Someone types the input and sees what is shown. */
  readonly terminal: boolean;
  /** Set by a command that asked for standard input before it was read. */
  wanted: boolean;
  /** The second line of "command not found". */
  missing(name: string): string;
  /** Lets timers and messages in, now and then. */
  breathe(): Promise<void>;
}

export interface Scope {
  outputBytes: number;
  live?: Live;
  destination?: Destination;
}

export interface State {
  env: Map<string, string>;
  cwd: string;
  callDepth: number;
  lastExitCode: number;
  /** True where `set -e` is not heeded. */
  inCondition: boolean;
  options: { readonly errexit: boolean };
  /** Whether the assignment being made has run a substitution, whose status is then its own. */
  substituted?: boolean;
  groupStdin?: string | undefined;
  traps?: Map<string, string> | undefined;
}

export interface Context<Script> {
  state: State;
  executionScope: Scope;
  executeScript(script: Script): Promise<Result>;
}

interface Redirection {
  operator: string;
  fd: number | null;
  fdVariable?: string | undefined;
  target: { type: string; parts?: readonly { type: string; value?: string }[] };
}

const ACCOUNTED_NONE = { stdout: 0, stderr: 0 };

export async function within<T>(scope: Scope, destination: Destination, run: () => Promise<T>): Promise<T> {
  const before = scope.destination;
  if (before === undefined || before === destination) return run();
  scope.destination = destination;
  try {
    return await run();
  } finally {
    scope.destination = before;
  }
}

/** Where the body of a command with these redirections writes. */
export function destinationOf(scope: Scope, redirections: readonly Redirection[]): Destination {
  const before = scope.destination ?? 'apart';
  let destination = before;
  for (const { operator, fd, fdVariable, target } of redirections) {
    if (fdVariable !== undefined) return 'apart';
    if (operator.startsWith('<') && operator !== '<>' && (operator !== '<&' || fd === null || fd === 0))
      continue;
    const word = target.parts?.length === 1 ? target.parts[0]?.value : undefined;
    const joins = operator === '>&' && (fd === 2 ? word === '1' : word === '2' && (fd ?? 1) === 1);
    if (joins) destination = destination === 'live' ? 'live' : 'merged';
    else if (operator.startsWith('&>')) destination = 'merged';
    else destination = 'apart';
  }
  return destination;
}

/** Called with the result of every pipeline: sends it on, or joins standard error to standard output in their order. */
export async function settle(
  scope: Scope,
  result: Result,
  text: (result: Result) => string,
): Promise<Result> {
  await scope.live?.breathe();
  if (scope.destination === 'live' && scope.live) {
    const accounted = result.internalOutputAccounting ?? ACCOUNTED_NONE;
    if (result.stdout || result.stderr) await scope.live.send(result);
    scope.outputBytes = Math.max(0, scope.outputBytes - accounted.stdout - accounted.stderr);
    return { ...result, stdout: '', stderr: '', internalOutputAccounting: { ...ACCOUNTED_NONE } };
  }
  if (scope.destination === 'merged' && result.stderr) {
    const accounted = result.internalOutputAccounting ?? ACCOUNTED_NONE;
    return {
      ...result,
      stdout: text(result) + result.stderr,
      stdoutKind: 'text',
      stdoutEncoding: undefined,
      stderr: '',
      internalOutputAccounting: { stdout: accounted.stdout + accounted.stderr, stderr: 0 },
    };
  }
  return result;
}

/** Sends diagnostics that come before what the command itself prints. Answers what could not be sent yet. */
export async function sendErrors(scope: Scope, text: string): Promise<string> {
  if (!text || scope.destination !== 'live' || !scope.live) return text;
  await scope.live.send({ stdout: '', stderr: text, exitCode: 0 });
  return '';
}

/** These only run another script, so what that script prints need not wait for them. */
const PASS_ON = new Set(['bash', 'sh', 'env', 'timeout', 'xargs', 'nohup', 'nice', 'stdbuf']);

function passesOn(name: string): boolean {
  const base = name.slice(name.lastIndexOf('/') + 1);
  return PASS_ON.has(base) || (name.includes('/') && !/^(\/usr)?\/bin\//.test(name));
}

/** Runs a command that is not a builtin; once more if it asked for standard input that had not been read. */
export async function command(
  context: { state: State; executionScope: Scope },
  name: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const scope = context.executionScope;
  const once = () => within(scope, passesOn(name) ? (scope.destination ?? 'apart') : 'apart', run);
  const result = await once();
  if (!scope.live?.wanted) return result;
  await readInput(scope.live, context.state);
  try {
    return await once();
  } finally {
    context.state.groupStdin = '';
  }
}

async function readInput(live: Live, state: State): Promise<void> {
  live.wanted = false;
  const { input, left } = live;
  live.input = null;
  live.left = '';
  state.groupStdin = left + (input ? await input.rest() : '');
}

/** True where standard input is the shell's own and nobody has read it yet. */
export function inputPending(context: { state: State; executionScope: Scope }, given: boolean): boolean {
  return !given && context.state.groupStdin === undefined && !!context.executionScope.live?.input;
}

/** With nothing piped to them these search the folder instead of waiting for someone to type. */
const NEVER_WAIT = new Set(['rg']);

/** Throws into a command that asks for standard input too early; {@link command} then reads it and runs it again. */
export function askInput(scope: Scope, name: string): void {
  if (!scope.live || NEVER_WAIT.has(name.slice(name.lastIndexOf('/') + 1))) return;
  scope.live.wanted = true;
  throw new Error('standard input has not been read yet');
}

const READING_BUILTINS = new Set(['read', 'mapfile', 'readarray']);

/** Runs a builtin; one that reads standard input waits for it: `read` for a line, the others for all of it. */
export async function builtin(
  context: { state: State; executionScope: Scope },
  name: string,
  args: readonly string[],
  given: boolean,
  run: () => Promise<Result>,
): Promise<Result> {
  const { state, executionScope: scope } = context;
  const { live } = scope;
  if (!live || !READING_BUILTINS.has(name) || args.includes('-u') || !inputPending(context, given))
    return run();
  if (name !== 'read' || args.some((arg) => /^-[a-zA-Z]*[dN]/.test(arg))) {
    await readInput(live, state);
    return run();
  }
  if (live.terminal) await sendErrors(scope, promptOf(args));
  const end = args.some((arg) => /^-[a-zA-Z]*r/.test(arg)) ? /\n/ : /(?:^|[^\\])(?:\\\\)*\n/;
  let text = live.left;
  while (!end.test(text)) {
    const more = await live.input?.line();
    if (!more) break;
    text += more;
  }
  state.groupStdin = text;
  try {
    return await run();
  } finally {
    live.left = state.groupStdin;
    state.groupStdin = undefined;
  }
}

function promptOf(args: readonly string[]): string {
  const at = args.findIndex((arg) => /^-[a-zA-Z]*p/.test(arg));
  if (at < 0) return '';
  return args[at]?.replace(/^-[a-zA-Z]*?p/, '') || (args[at + 1] ?? '');
}

/** `bash FILE` and `./FILE` are their own main source; `bash -c` has none. */
export function mainSource(env: Readonly<Record<string, string>> | undefined): string[] | undefined {
  const name = env?.['0'];
  return name === undefined || name === 'bash' || name === 'sh' ? undefined : [name];
}

/** What was captured for a value is not shown when the capture itself is cut off. */
export async function capture<Script>(
  context: Context<Script>,
  script: Script,
  parse: (source: string) => Script,
  isExit: (error: unknown) => error is ExitError,
): Promise<Result> {
  const run = () => context.executeScript(script);
  const { options } = context.state;
  // Bash's own rule: set -e does not reach into substitutions.
  context.state.options = { ...options, errexit: false };
  try {
    return await within(context.executionScope, 'apart', () => untilExit(context, run, parse, isExit));
  } catch (error) {
    if (isCut(error)) error.stdout = '';
    throw error;
  } finally {
    context.state.options = options;
    context.state.substituted = true;
  }
}

export interface ExitError extends Error {
  stdout: string;
  stderr: string;
  exitCode: number;
}

function isCut(error: unknown): error is ExitError {
  return (
    error instanceof Error && (error.name === 'ExecutionAbortedError' || error.name === 'ExecutionLimitError')
  );
}

/** Runs what is tested by `||`, `&&` or `!`, where `set -e` is not heeded at any depth. */
export async function unchecked<T>(state: State, isTested: boolean, run: () => Promise<T>): Promise<T> {
  if (!isTested || state.inCondition) return run();
  state.inCondition = true;
  try {
    return await run();
  } finally {
    state.inCondition = false;
  }
}

/** What a glob that ends in a slash stands for. */
export async function foldersOnly(
  files: IFileSystem,
  cwd: string,
  names: readonly string[],
): Promise<string[]> {
  const folders = names.map(async (name) => {
    const stat = await files.stat(files.resolvePath(cwd, name)).catch(() => undefined);
    return stat?.isDirectory ? [name.replace(/\/*$/, '/')] : [];
  });
  return (await Promise.all(folders)).flat();
}

/** What a file operation that failed outside any command's own handling says, as the failure of that command. */
export function fileFailure(error: unknown): Result | undefined {
  if (!(error instanceof Error)) return undefined;
  const [, path] = /^E[A-Z]+: .*'(.*)'$/.exec(error.message) ?? [];
  if (path === undefined) return undefined;
  return { stdout: '', stderr: `bash: ${path}: ${fileError(error)}\n`, exitCode: 1 };
}

/** Everything that a shell is started with is exported to what it starts itself. */
export function exported(
  before: ReadonlySet<string> | undefined,
  { env, replaceEnv }: { env?: Readonly<Record<string, string>>; replaceEnv?: boolean },
): Set<string> {
  const given = Object.keys(env ?? {}).filter((name) => /^[A-Za-z_]/.test(name));
  return new Set([...(replaceEnv ? [] : (before ?? [])), ...given]);
}

export function noZlib(): never {
  throw new Error('this needs node:zlib');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text that these bytes, one a character, are; bytes that are no text stay as they are. */
export function decode(bytes: string): string {
  let plain = true;
  const buffer = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes.charCodeAt(i);
    if (code > 255) return bytes;
    if (code > 127) plain = false;
    buffer[i] = code;
  }
  if (plain) return bytes;
  try {
    return utf8.decode(buffer);
  } catch {
    return bytes;
  }
}
