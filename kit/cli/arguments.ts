import { parseArgs } from 'node:util';
import { messageOf } from '../../src/base/message-of.ts';
import type { EvalOrder } from '../evals/run-grid.ts';
import { hintFor } from '../options/closest.ts';
import { permissionProblems } from '../options/permission-problems.ts';
import type { ModelSettings } from '../playwright/page-calls.ts';
import { requireProvider } from '../playwright/provider.ts';

/** A task that the arguments of `npx vitrine` name. */
export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | ({ readonly kind: 'serve' } & Site)
  /** Serves the app with a recording of the machine in it. */
  | ({ readonly kind: 'show'; readonly recording: string } & Site)
  | ({ readonly kind: 'run' } & Job)
  /** Writes a recording as OpenTelemetry traces. */
  | { readonly kind: 'trace'; readonly recording: string; readonly out: string }
  | ({ readonly kind: 'eval' } & EvalOrder)
  /** Serves the app with the results of an evaluation. */
  | ({ readonly kind: 'report'; readonly folder: string } & Site);

/** A site that is served until the process is stopped. */
interface Site {
  readonly port: number;
  /** Whether it is opened in the person's browser. */
  readonly opens: boolean;
}

/** A job that runs without a person: prompts, one after the other, in a page that nobody sees. */
export interface Job {
  /** If the list is empty, the prompts of the file are sent. */
  readonly prompts: readonly string[];
  /** The path of a script or of a recording, which answers if there is no model. */
  readonly file?: string;
  readonly model?: Omit<ModelSettings, 'apiKey'>;
  /** A folder that is copied into the workspace. */
  readonly folder?: string;
  /** Rules in the shape of opencode.json's `permission`; the app's own if absent. */
  readonly permission?: unknown;
  /** Makes times and ids follow from it. */
  readonly seed?: number;
  /** Where the recording, the page that shows it and the transcript are written. */
  readonly out: string;
  /** For all prompts together. */
  readonly timeoutMs: number;
}

export const USAGE = `Usage:
  vitrine [--port PORT] [--no-open]            serves the app on http://localhost:4173 and opens it
  vitrine show RECORDING.json [--port PORT]    serves it and opens the recording
  vitrine run [SCRIPT.json | RECORDING.json] [--prompt TEXT] [--provider NAME --model ID [--base-url URL]]
              [--repo DIRECTORY] [--permission RULES] [--seed NUMBER] [--out DIRECTORY] [--timeout SECONDS]
  vitrine eval GRID.json [--out DIRECTORY] [--workers NUMBER]
  vitrine trace RECORDING.json [--out FILE]    writes it as OpenTelemetry traces (default: trace.json)
  vitrine report DIRECTORY [--port PORT]       serves the report of an evaluation, whose recordings open in the app
  vitrine --version

Port 0 takes a free one. The browser is opened where a person sees the terminal, and not in CI; --no-open leaves it.

run lets the agent do a job in Chromium, without a window. It needs @playwright/test and its browser. What a script or a
recording holds answers, or the model that is named. --prompt can be given several times. Without it, the prompts are
those of the recording; a script gets its title, then "Go on." for each further turn. A key is read from VITRINE_API_KEY.
--repo (or --folder) copies a folder into the workspace, in place of the files of the script or recording. RULES is
"allow", "ask", "deny" or JSON in the shape of opencode.json's permission. With --seed, times and ids follow from the number:
the same script gives the same recording. What would ask is refused; without RULES that is all that changes something.
recording.json, recording.html, which shows it, and transcript.md are written to the directory of --out (default:
vitrine-run). The exit code is 0 if every turn ended well and nothing was refused because nobody was there to allow
it, else 1. --script FILE and --folder are other names for the file and --repo.

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
  'no-open': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
  prompt: { type: 'string', multiple: true },
  script: { type: 'string' },
  provider: { type: 'string' },
  model: { type: 'string' },
  'base-url': { type: 'string' },
  folder: { type: 'string' },
  repo: { type: 'string' },
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
  if (values.version) return { kind: 'version' };
  const [command, file, ...rest] = positionals;
  switch (command) {
    case undefined:
      return { kind: 'serve', ...siteOf(values) };
    case 'run':
      if (rest.length > 0) throw wrong('"run" takes one file with a script or a recording.');
      return { kind: 'run', ...jobOf(values, file) };
    case 'eval':
      return {
        ...{ kind: 'eval', grid: only(positionals, 'grid'), out: values.out ?? DEFAULT_EVAL_OUT },
        workers: numberOf('--workers', values.workers, 2, 1, 64),
      };
    case 'trace':
      return { kind: 'trace', recording: only(positionals, 'recording'), out: values.out ?? DEFAULT_TRACE };
    case 'report':
      return {
        ...{ kind: 'report', folder: only(positionals, 'evaluation', 'folder') },
        ...siteOf(values),
      };
    case 'show':
      return { kind: 'show', recording: only(positionals, 'recording'), ...siteOf(values) };
    default:
      throw wrong(`There is no command "${command}".`);
  }
}

/** The only argument of a command. */
function only([command, given, ...rest]: readonly string[], what: string, holder = 'file'): string {
  if (given === undefined || rest.length > 0)
    throw wrong(`"${command}" takes one ${holder} with a${what === 'evaluation' ? 'n' : ''} ${what}.`);
  return given;
}

function parse(given: readonly string[]) {
  try {
    return parseArgs({ args: [...given], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const [, unknown] = /^Unknown option '--?([^']+)'/.exec(messageOf(error)) ?? [];
    if (unknown === undefined) throw wrong(`${messageOf(error)}.`);
    const names = Object.keys(OPTIONS);
    throw new Error(`There is no option --${unknown}. ${hintFor(unknown, names, `\n\n${USAGE}`)}`);
  }
}

function jobOf(values: Values, positional: string | undefined): Job {
  const { prompt = [], permission, seed } = values;
  const file = oneOf('a file', positional, '--script', values.script);
  const folder = oneOf('--repo', values.repo, '--folder', values.folder);
  const model = modelOf(values);
  if (model === undefined && file === undefined)
    throw wrong('"run" needs a file with a script or a recording, or --provider and --model.');
  if (model !== undefined && values.script !== undefined)
    throw wrong('"run" takes either --script, or --provider and --model.');
  if (file === undefined && prompt.length === 0) throw wrong('"run" needs a --prompt for a model.');
  return {
    prompts: prompt,
    ...(file !== undefined && { file }),
    ...(model && { model }),
    ...(folder !== undefined && { folder }),
    ...(permission !== undefined && { permission: rulesOf(permission) }),
    ...(seed !== undefined && { seed: numberOf('--seed', seed, 0, 0, 2 ** 31 - 1) }),
    out: values.out ?? DEFAULT_OUT,
    timeoutMs: 1000 * numberOf('--timeout', values.timeout, DEFAULT_TIMEOUT_S, 1, 86_400),
  };
}

function oneOf(name: string, value: string | undefined, otherName: string, other: string | undefined) {
  if (value !== undefined && other !== undefined)
    throw wrong(`"run" takes ${name} or ${otherName}, not both: they mean the same.`);
  return value ?? other;
}

function modelOf({ provider, model, 'base-url': baseURL }: Values): Job['model'] {
  if (provider === undefined && model === undefined && baseURL === undefined) return undefined;
  if (provider === undefined || model === undefined)
    throw wrong('A model needs both --provider and --model.');
  return { provider: requireProvider(provider), model, ...(baseURL !== undefined && { baseURL }) };
}

function rulesOf(text: string): unknown {
  const rules = /^\w+$/.test(text) ? text : parsedRules(text);
  const [problem] = permissionProblems(rules, '--permission');
  if (problem !== undefined) throw wrong(problem);
  return rules;
}

function parsedRules(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(`--permission takes "allow", "ask", "deny" or JSON, not ${text}`);
  }
}

function siteOf({ port, 'no-open': isClosed = false }: Values): Site {
  return { port: numberOf('--port', port, DEFAULT_PORT, 0, 65_535), opens: !isClosed };
}

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
