import { createCommandContext, type Command } from 'just-bash/browser';
import type { BashOptions } from 'just-bash';
import { bytesOf, latin1Of } from '../commands/command.ts';
import { decode, encode, joined, readAll, sourceOf } from '../commands/io.ts';
import type { Program, ProgramCall } from '../program.ts';
import { read } from './source.ts';

/** A runaway script is ended by its time limit; these only keep it from taking the memory of the whole frame. */
const LIMITS: NonNullable<BashOptions['executionLimits']> = {
  maxCommandCount: Number.MAX_SAFE_INTEGER,
  maxLoopIterations: 1e9,
  maxAwkIterations: 1e9,
  maxSedIterations: 1e9,
  maxJqIterations: 1e9,
  maxWorkUnits: Number.MAX_SAFE_INTEGER,
  maxTraversalEntries: 1e8,
  maxTraversalWork: 1e9,
  maxAwkParserOperations: 1e9,
  maxGlobOperations: 1e8,
  maxCallDepth: 500,
  maxExecutionTimeMs: 2 ** 31 - 1,
  maxOutputSize: 128 * 1024 * 1024,
  maxInputBytes: 2 ** 40,
};

/** With nothing piped to them these search the folder instead of waiting for someone to type. */
const NEVER_WAIT = new Set(['rg']);

class InputWanted extends Error {}

/**
 * A command that takes all of its input at once and answers all of its output, as a program. It is run once more where
 * it asks for input that was not read before: only then is it known that it reads any.
 */
export function asProgram(command: Command, names: readonly string[]): Program {
  return async (call) => {
    const first = await attempt(command, names, call, undefined);
    if (first !== undefined) return first;
    const bytes = await readAll(call.stdin);
    return (await attempt(command, names, call, bytes)) ?? 1;
  };
}

async function attempt(
  command: Command,
  names: readonly string[],
  call: ProgramCall,
  given: Uint8Array | undefined,
): Promise<number | undefined> {
  let wanted = false;
  const stdin = given && latin1Of(given);
  const context = createCommandContext({
    fs: call.files,
    cwd: call.cwd,
    env: new Map(call.env),
    exportedEnv: Object.fromEntries(call.env),
    executionLimits: LIMITS,
    signal: call.signal,
    getRegisteredCommands: () => [...names],
    exec: (script, options) => execute(call, script, options),
  });
  Object.defineProperty(context, 'stdin', {
    get() {
      if (stdin !== undefined || (NEVER_WAIT.has(command.name) && call.stdin.isUnpiped)) return stdin ?? '';
      wanted = true;
      throw new InputWanted('standard input has not been read yet');
    },
  });
  let result: Awaited<ReturnType<Command['execute']>>;
  try {
    result = await command.execute([...call.args], context);
  } catch (error) {
    if (wanted && given === undefined) return undefined;
    throw error;
  }
  if (wanted && given === undefined) return undefined;
  const isBytes = result.stdoutKind === 'bytes' || result.stdoutEncoding === 'binary';
  const output = isBytes ? bytesOf(result.stdout) : encode(result.stdout);
  if (output.length > 0) await call.stdout.write(output);
  if (result.stderr) await call.stderr.write(encode(result.stderr));
  return result.exitCode;
}

type Execute = NonNullable<Parameters<typeof createCommandContext>[0]['exec']>;

/** What a command runs in turn: words in quotes, mostly. */
async function execute(
  call: ProgramCall,
  script: string,
  options: Parameters<Execute>[1],
): ReturnType<Execute> {
  const outputs: Uint8Array[] = [];
  const errors: Uint8Array[] = [];
  const exitCode = await call.run(wordsOf(script, options.args ?? []), {
    cwd: options.cwd,
    ...(options.env && {
      env: new Map(
        options.replaceEnv ? Object.entries(options.env) : [...call.env, ...Object.entries(options.env)],
      ),
    }),
    stdin: sourceOf(options.stdinKind === 'bytes' ? bytesOf(options.stdin) : encode(options.stdin ?? '')),
    stdout: { write: (bytes) => void outputs.push(bytes) },
    stderr: { write: (bytes) => void errors.push(bytes) },
    signal: options.signal ?? call.signal,
  });
  const stderr = decode(joined(errors));
  const bytes = joined(outputs);
  const text = decode(bytes);
  if (!/[\udc80-\udcff]/.test(text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '')))
    return { stdout: text, stdoutKind: 'text', stderr, exitCode };
  return { stdout: latin1Of(bytes), stdoutKind: 'bytes', stdoutEncoding: 'binary', stderr, exitCode };
}

/** The words of a command that is nothing but literal words; anything else is run as a script. */
function wordsOf(script: string, args: readonly string[]): string[] {
  const { commands, errors } = read(script).tree;
  const [statement, ...others] = commands;
  const command = statement?.command;
  if (!errors?.length && others.length === 0 && command?.type === 'Command' && !statement?.background) {
    const words = [command.name, ...command.args];
    const literal = words.every(
      (word) =>
        word?.type === 'Word' &&
        (word.parts ?? []).every(({ type }) => type === 'Literal' || type === 'SingleQuoted') &&
        !/^~|[{*?[]/.test(word.text.replace(/'[^']*'/g, '')),
    );
    if (literal && command.prefix.length === 0 && command.redirects.length === 0)
      return [...words.flatMap((word) => (word?.type === 'Word' ? [word.value] : [])), ...args];
  }
  return ['bash', '-c', script, 'bash', ...args];
}
