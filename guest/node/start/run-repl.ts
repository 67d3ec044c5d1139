import type { Repl } from '../builtins/repl.ts';
import type { RunParts } from './run-parts.ts';
import { defineTextGlobals } from './run-text.ts';

/** `node` in a terminal, and `node -i`: reads inputs and prints what they come to. */
export function runRepl(parts: RunParts): void {
  const { made, builtins } = parts;
  const { process } = made;
  defineTextGlobals(parts, '<repl>');
  process.stdout.write(`Welcome to Node.js ${process.version}.\nType ".help" for more information.\n`);
  const { start } = builtins.load('repl') as Repl;
  const server = start();
  process.setUncaughtExceptionCaptureCallback((error: unknown) => server.fail(error));
  server.on('exit', () => process.exit());
}
