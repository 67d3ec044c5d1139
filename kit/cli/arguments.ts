import { parseArgs } from 'node:util';

/** What `npx vitrine` was asked to do. */
export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'serve'; readonly port: number }
  /** Serves the app with a recording of the machine in it. */
  | { readonly kind: 'show'; readonly port: number; readonly recording: string };

export const USAGE = `Usage:
  vitrine [--port PORT]                        serves the app on http://localhost:4173
  vitrine show RECORDING.json [--port PORT]    serves it and says the address that opens the recording

Port 0 takes a free one.`;

const DEFAULT_PORT = 4173;

/** Reads arguments; throws an error that says which one is wrong and what to write instead. */
export function readArguments(given: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...given],
    options: { port: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) return { kind: 'help' };
  const port = portOf(values.port);
  const [command, file, ...rest] = positionals;
  if (command === undefined) return { kind: 'serve', port };
  if (command !== 'show') throw new Error(`There is no command "${command}".\n\n${USAGE}`);
  if (file === undefined || rest.length > 0)
    throw new Error(`"show" takes one file with a recording.\n\n${USAGE}`);
  return { kind: 'show', port, recording: file };
}

function portOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535 || text.trim() === '')
    throw new Error(`--port takes a number from 0 to 65535, not "${text}".`);
  return port;
}
