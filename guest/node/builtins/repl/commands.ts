import type { LoadBuiltin } from '../builtin.ts';
import type { ReplServer } from './server.ts';

export interface ReplCommand {
  readonly help?: string | undefined;
  action(this: ReplServer, rest: string): void;
}

/** The words that begin with a dot. */
export function replCommands(load: LoadBuiltin): Map<string, ReplCommand> {
  function action(this: ReplServer): void {
    this.clearBufferedCommand();
    this.displayPrompt();
  }
  return new Map<string, ReplCommand>([
    ['break', { help: 'Sometimes you get stuck, this gets you out', action }],
    ['clear', { help: 'Alias for .break', action }],
    ['exit', { help: 'Exit the REPL', action: exit }],
    ['help', { help: 'Print this help message', action: help }],
    [
      'load',
      {
        help: 'Load JS from a file into the REPL session',
        action(path) {
          loadFile(this, load, path);
        },
      },
    ],
    [
      'save',
      {
        help: 'Save all evaluated commands in this REPL session to a file',
        action(path) {
          saveFile(this, load, path);
        },
      },
    ],
  ]);
}

function exit(this: ReplServer): void {
  this.exit();
}

function help(this: ReplServer): void {
  const names = [...this.commandList.keys()].sort();
  const widest = Math.max(...names.map((name) => name.length));
  for (const name of names)
    this.say(
      `.${name}${' '.repeat(widest - name.length + 3)}${this.commandList.get(name)?.help ?? ''}`.trimEnd(),
    );
  this.say('\nPress Ctrl+C to abort current expression, Ctrl+D to exit the REPL');
  this.displayPrompt();
}

function loadFile(server: ReplServer, load: LoadBuiltin, path: string): void {
  const { readFileSync, statSync } = load('fs');
  try {
    if (!statSync(path).isFile()) throw new Error('no file');
    server.take(readFileSync(path, 'utf8').split('\n'));
  } catch {
    server.say(`Failed to load: ${path}`);
    server.displayPrompt();
  }
}

function saveFile(server: ReplServer, load: LoadBuiltin, path: string): void {
  try {
    load('fs').writeFileSync(path, server.lines.join('\n'));
    server.say(`Session saved to: ${path}`);
  } catch {
    server.say(`Failed to save: ${path}`);
  }
  server.displayPrompt();
}
