import { parseArgs } from 'node:util';
import type { EvalOrder } from '../evals/run-grid.ts';

/** A task that the arguments of `npx vitrine` name. */
export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'serve'; readonly port: number }
  /** Serves the app with a recording of the machine in it. */
  | { readonly kind: 'show'; readonly port: number; readonly recording: string }
  | ({ readonly kind: 'run' } & Job)
  /** Writes a recording as OpenTelemetry traces. */
  | { readonly kind: 'trace'; readonly recording: string; readonly out: string }
  | ({ readonly kind: 'eval' } & EvalOrder)
  /** Serves the app with the results of an evaluation. */
  | { readonly kind: 'report'; readonly port: number; readonly folder: string };

/** A job that runs without a person: prompts, one after the other, in a page that nobody sees. */
export interface Job {
  readonly prompts: readonly string[];
  /** The path of a script, or a provider with a model. */
  readonly model:
    | { readonly script: string }
    | { readonly provider: string; readonly model: string; readonly baseURL?: string };
  /** A folder that is copied into the workspace. */
  readonly folder?: string;
  /** Rules in the shape of opencode.json's `permission`; the app's own if absent. */
  readonly permission?: unknown;
  /** Makes times and ids follow from it. */
  readonly seed?: number;
  /** Where the recording and the transcript are written. */
  readonly out: string;
  /** For all prompts together. */
  readonly timeoutMs: number;
}

export const USAGE = `Usage:
  vitrine [--port PORT]                        serves the app on http://localhost:4173
  vitrine show RECORDING.json [--port PORT]    serves it and says the address that opens the recording
  vitrine run --prompt TEXT (--script FILE.json | --provider NAME --model ID [--base-url URL])
              [--folder DIRECTORY] [--permission RULES] [--seed NUMBER] [--out DIRECTORY] [--timeout SECONDS]
  vitrine eval GRID.json [--out DIRECTORY] [--workers NUMBER]
  vitrine trace RECORDING.json [--out FILE]    writes it as OpenTelemetry traces (default: trace.json)
  vitrine report DIRECTORY [--port PORT]       serves the report of an evaluation, whose recordings open in the app

Port 0 takes a free one.

run lets the agent do a job in Chromium, without a window. It needs @playwright/test and its browser. --prompt can be
given several times. A key is read from VITRINE_API_KEY. RULES is "allow", "deny" or JSON in the shape of
opencode.json's permission. With --seed, times and ids follow from the number: the same script gives the same
recording. What would ask is refused; without RULES that is all that changes something.
recording.json and transcript.md are written to the directory of --out (default: vitrine-run). The exit code is 0
if every turn ended well, else 1.

eval gives each task of a grid to each model, several times, in the same way, and writes results.json, report.html
and the recordings to the directory of --out (default: vitrine-eval). What was there is compared with. --workers runs
so many at the same time (default: 2). The exit code is 0 if every cell passed as often as the grid's atLeast says.`;

const DEFAULT_PORT = 4173;
const DEFAULT_OUT = 'vitrine-run';
const DEFAULT_TRACE = 'trace.json';
const DEFAULT_EVAL_OUT = 'vitrine-eval';
const DEFAULT_TIMEOUT_S = 600;

const OPTIONS = {
  port: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  prompt: { type: 'string', multiple: true },
  script: { type: 'string' },
  provider: { type: 'string' },
  model: { type: 'string' },
  'base-url': { type: 'string' },
  folder: { type: 'string' },
  permission: { type: 'string' },
  seed: { type: 'string' },
  out: { type: 'string' },
  timeout: { type: 'string' },
  workers: { type: 'string' },
} as const;

type Values = ReturnType<typeof parse>['values'];

/** Reads arguments; throws an error that says which one is wrong and what to write instead. */
export function readArguments(given: readonly string[]): Command {
  const { values, positionals } = parse(given);
  if (values.help) return { kind: 'help' };
  const [command, file, ...rest] = positionals;
  if (command === undefined) return { kind: 'serve', port: portOf(values) };
  if (command === 'run' && file === undefined) return { kind: 'run', ...jobOf(values) };
  if (command === 'eval' && file !== undefined && rest.length === 0)
    return {
      ...{ kind: 'eval', grid: file, out: values.out ?? DEFAULT_EVAL_OUT },
      workers: numberOf('--workers', values.workers, 2, 1, 64),
    };
  if (command === 'trace' && file !== undefined && rest.length === 0)
    return { kind: 'trace', recording: file, out: values.out ?? DEFAULT_TRACE };
  if (command === 'report' && file !== undefined && rest.length === 0)
    return { kind: 'report', port: portOf(values), folder: file };
  if (command !== 'show') throw wrong(`There is no command "${positionals.join(' ')}".`);
  if (file === undefined || rest.length > 0) throw wrong('"show" takes one file with a recording.');
  return { kind: 'show', port: portOf(values), recording: file };
}

function parse(given: readonly string[]) {
  return parseArgs({ args: [...given], options: OPTIONS, allowPositionals: true });
}

function jobOf(values: Values): Job {
  const { prompt = [], folder, permission, seed } = values;
  if (prompt.length === 0) throw wrong('"run" needs a --prompt.');
  return {
    prompts: prompt,
    model: modelOf(values),
    ...(folder !== undefined && { folder }),
    ...(permission !== undefined && { permission: rulesOf(permission) }),
    ...(seed !== undefined && { seed: numberOf('--seed', seed, 0, 0, 2 ** 31 - 1) }),
    out: values.out ?? DEFAULT_OUT,
    timeoutMs: 1000 * numberOf('--timeout', values.timeout, DEFAULT_TIMEOUT_S, 1, 86_400),
  };
}

function modelOf({ script, provider, model, 'base-url': baseURL }: Values): Job['model'] {
  if (script !== undefined && provider === undefined) return { script };
  if (script !== undefined || provider === undefined || model === undefined)
    throw wrong('"run" needs either --script, or --provider and --model.');
  return { provider, model, ...(baseURL !== undefined && { baseURL }) };
}

function rulesOf(text: string): unknown {
  if (['allow', 'ask', 'deny'].includes(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(`--permission takes "allow", "deny" or JSON, not ${text}`);
  }
}

const portOf = ({ port }: Values) => numberOf('--port', port, DEFAULT_PORT, 0, 65_535);

function numberOf(
  name: string,
  text: string | undefined,
  usual: number,
  least: number,
  most: number,
): number {
  if (text === undefined) return usual;
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most || text.trim() === '')
    throw wrong(`${name} takes a number from ${least} to ${most}, not "${text}".`);
  return value;
}

const wrong = (what: string) => new Error(`${what}\n\n${USAGE}`);
