import type { Program, ProgramCall } from '../program.ts';
import { Complaint, type Host, type Implementation, type Output } from './command.ts';
import { encode, readAll } from './io.ts';
import { Usage } from './options.ts';

class InputWanted extends Error {}

/**
 * Turns a command that takes its whole input at once, and returns its whole output, into a program. The
 * command runs a second time where it asks for input that was not read yet, because only then is it known
 * that it reads any.
 */
export function gathering(host: Host, name: string, implementation: Implementation): Program {
  return async (call) => {
    const first = await attempt(host, name, implementation, call, undefined);
    if (first !== undefined) return first;
    return (await attempt(host, name, implementation, call, await readAll(call.stdin))) ?? 1;
  };
}

async function attempt(
  host: Host,
  name: string,
  implementation: Implementation,
  call: ProgramCall,
  given: Uint8Array | undefined,
): Promise<number | undefined> {
  let wanted = false;
  const stdin = (): Uint8Array => {
    if (given) return given;
    wanted = true;
    throw new InputWanted('standard input has not been read yet');
  };
  const { args, cwd, env, files } = call;
  let output: Output;
  try {
    const columns = call.terminal(1)?.columns;
    output = await implementation({
      args,
      cwd,
      env,
      files,
      host,
      columns,
      stdin,
      path: (path) => call.path(path),
    });
  } catch (error) {
    if (wanted) return undefined;
    if (error instanceof Usage) output = { stdout: error.text(name) };
    else if (error instanceof Complaint) output = { stderr: `${name}: ${error.message}\n`, code: error.code };
    else throw error;
  }
  if (wanted) return undefined;
  const { stdout = '', stderr = '', code = 0 } = output;
  const bytes = typeof stdout === 'string' ? encode(stdout) : stdout;
  if (bytes.length > 0) await call.stdout.write(bytes);
  if (stderr !== '') await call.stderr.write(encode(stderr));
  return code;
}
