import type { Context, ExitError, Result, State } from './interpreter.ts';

const SIGNALS = new Map([
  ['0', 'EXIT'],
  ['1', 'HUP'],
  ['2', 'INT'],
  ['3', 'QUIT'],
  ['15', 'TERM'],
]);
const TRAPPED = new Set([
  'EXIT',
  'ERR',
  'HUP',
  'INT',
  'QUIT',
  'TERM',
  'USR1',
  'USR2',
  'PIPE',
  'WINCH',
  'CHLD',
]);

/** The `trap` builtin: `EXIT` and `ERR` run; signals are kept and listed, since nothing here sends any. */
export function trap(state: State, args: readonly string[]): Result {
  const words = args[0] === '--' ? args.slice(1) : args;
  const first = words[0];
  const traps = (state.traps ??= new Map<string, string>());
  if (first === undefined || first === '-p') {
    const wanted = words.slice(1).map(signalName);
    const shown = [...traps].filter(([name]) => wanted.length === 0 || wanted.includes(name));
    const lines = shown.map(
      ([name, code]) => `trap -- '${code.replaceAll("'", "'\\''")}' ${longName(name)}\n`,
    );
    return { stdout: lines.join(''), stderr: '', exitCode: 0 };
  }
  if (first === '-l')
    return { stdout: ` 1) SIGHUP\t 2) SIGINT\t 3) SIGQUIT\t15) SIGTERM\n`, stderr: '', exitCode: 0 };
  const resets = first === '-' || (words.length === 1 && signalName(first) !== null);
  let stderr = '';
  for (const word of words.length === 1 ? words : words.slice(1)) {
    const name = signalName(word);
    if (name === null) stderr += `bash: trap: ${word}: not available in the embedded workspace\n`;
    else if (resets) traps.delete(name);
    else traps.set(name, first);
  }
  return { stdout: '', stderr, exitCode: stderr ? 1 : 0 };
}

function signalName(word: string): string | null {
  const name = SIGNALS.get(word) ?? word.toUpperCase().replace(/^SIG/, '');
  return TRAPPED.has(name) ? name : null;
}

function longName(name: string): string {
  return name === 'EXIT' || name === 'ERR' ? name : `SIG${name}`;
}

/** Runs one shell, a subshell or a substitution, and then its own `EXIT` trap, also after `exit`. */
export async function untilExit<Script>(
  context: Context<Script>,
  run: () => Promise<Result>,
  parse: (source: string) => Script,
  isExit: (error: unknown) => error is ExitError,
): Promise<Result> {
  const { state } = context;
  const inherited = state.traps;
  const own = new Map<string, string>();
  state.traps = own;
  try {
    let ended: Result | ExitError;
    try {
      ended = await run();
    } catch (error) {
      if (!isExit(error)) throw error;
      ended = error;
    }
    const code = own.get('EXIT');
    if (code !== undefined && code !== '') {
      own.delete('EXIT');
      await runExitTrap(context, ended, parse(code), isExit);
    }
    if (ended instanceof Error) throw ended;
    return ended;
  } finally {
    state.traps = inherited;
  }
}

async function runExitTrap<Script>(
  context: Context<Script>,
  ended: Result | ExitError,
  script: Script,
  isExit: (error: unknown) => error is ExitError,
): Promise<void> {
  const { live, destination } = context.executionScope;
  if (live && destination === 'live') {
    await live.send({ stdout: ended.stdout, stderr: ended.stderr, exitCode: 0 });
    ended.stdout = ended.stderr = '';
  }
  context.state.lastExitCode = ended.exitCode;
  context.state.env.set('?', String(ended.exitCode));
  let last: Result | ExitError;
  try {
    last = await context.executeScript(script);
  } catch (error) {
    if (!isExit(error)) throw error;
    last = error;
    ended.exitCode = error.exitCode;
  }
  // What is still to be printed of the shell itself comes before what its trap prints.
  ended.stdout += last.stdout;
  ended.stderr += last.stderr;
}

/** Runs the `ERR` trap after a statement failed. */
export async function runErrTrap<Script>(
  context: Context<Script>,
  exitCode: number,
  parse: (source: string) => Script,
): Promise<Result> {
  const { state } = context;
  const nothing = { stdout: '', stderr: '', exitCode };
  const code = state.traps?.get('ERR');
  if (!code || state.callDepth > 0) return nothing;
  state.traps?.delete('ERR');
  try {
    return { ...(await context.executeScript(parse(code))), exitCode };
  } finally {
    state.traps?.set('ERR', code);
    state.lastExitCode = exitCode;
    state.env.set('?', String(exitCode));
  }
}
