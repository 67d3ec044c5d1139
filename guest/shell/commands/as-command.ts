import { defineCommand, type Command, type ResolvedCommandContext } from 'just-bash/browser';
import type { IFileSystem } from 'just-bash';
import { BrokenPipe, type ByteSource, type Program } from '../program.ts';
import { bytesOf, latin1Of, quote } from './command.ts';
import { decode, encode, joined, readAll } from './io.ts';

/** What an endless program may print before it is told that nobody reads on. */
const MOST = 1_000_000;

/**
 * A program for an interpreter whose commands take all of their input at once and answer all of their output. `endless`
 * ones are stopped after a megabyte.
 */
export function asCommand(name: string, program: Program, files: IFileSystem, endless = false): Command {
  return defineCommand(name, async (args, context) => {
    const outputs: Uint8Array[] = [];
    const errors: Uint8Array[] = [];
    let size = 0;
    const stdin = lazily(() => bytesOf(context.stdin));
    const stdout = {
      write(bytes: Uint8Array) {
        if (endless && size > MOST) throw new BrokenPipe();
        size += bytes.length;
        outputs.push(bytes);
      },
    };
    const stderr = { write: (bytes: Uint8Array) => void errors.push(bytes) };
    const { cwd } = context;
    const signal = context.signal ?? new AbortController().signal;
    const answer = (code: number) => ({
      stdout: latin1Of(joined(outputs)),
      stdoutKind: 'bytes' as const,
      stdoutEncoding: 'binary' as const,
      stderr: decode(joined(errors)),
      exitCode: code,
    });
    try {
      const code = await program({
        name,
        args,
        env: new Map(Object.entries(context.exportedEnv ?? {})),
        cwd,
        files,
        signal,
        stdin,
        stdout,
        stderr,
        terminal: () => undefined,
        path: (given) => files.resolvePath(cwd, given),
        async run(words, change = {}) {
          const result = await runIn(context, words, {
            cwd: change.cwd ?? cwd,
            env: change.env ? Object.fromEntries(change.env) : (context.exportedEnv ?? {}),
            stdin: await readAll(change.stdin ?? stdin),
            ...(change.env && { replaceEnv: true }),
          });
          const isBytes = result.stdoutKind === 'bytes' || result.stdoutEncoding === 'binary';
          const written = isBytes ? bytesOf(result.stdout) : encode(result.stdout);
          if (written.length > 0) await (change.stdout ?? stdout).write(written);
          if (result.stderr) await (change.stderr ?? stderr).write(encode(result.stderr));
          return result.exitCode;
        },
      });
      return answer(code);
    } catch (error) {
      if (error instanceof BrokenPipe) return answer(141);
      stderr.write(encode(`${name}: ${error instanceof Error ? error.message : String(error)}\n`));
      return answer(1);
    }
  });
}

interface Start {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly stdin: Uint8Array;
  readonly replaceEnv?: boolean;
}

async function runIn(context: ResolvedCommandContext, words: readonly string[], start: Start) {
  const [first = 'true', ...args] = words;
  if (!context.exec) throw new Error('cannot run other commands here');
  return context.exec(quote(first), {
    ...start,
    args,
    stdin: latin1Of(start.stdin),
    stdinKind: 'bytes',
    ...(context.signal && { signal: context.signal }),
  });
}

function lazily(take: () => Uint8Array): ByteSource {
  let left: Uint8Array | null | undefined;
  const pending = () => (left === undefined ? take() : left);
  return {
    read() {
      const piece = pending();
      left = null;
      return piece && piece.length > 0 ? piece : null;
    },
    unread(bytes) {
      const rest = pending();
      left = rest ? joined([bytes, rest]) : bytes;
    },
    close() {
      left = null;
    },
  };
}
