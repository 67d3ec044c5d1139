import { argValueError, needInteger, outOfRange, unavailable } from '../internal/errors.ts';

/** The configuration of a test run, from the flags of `node` and the options of {@link run}. */
export interface Config {
  readonly isRunner: boolean;
  readonly concurrency: number | boolean;
  readonly forceExit: boolean;
  readonly isolation: string;
  readonly only: boolean;
  readonly names: readonly RegExp[] | undefined;
  readonly skips: readonly RegExp[] | undefined;
  readonly reporters: readonly string[];
  readonly destinations: readonly string[];
  readonly shard: Shard | undefined;
  readonly timeout: number;
  readonly updatesSnapshots: boolean;
  readonly coverage: boolean;
}

export interface Shard {
  readonly index: number;
  readonly total: number;
}

/** The value of an environment variable that node sets for the process of a test file. */
export const CHILD_CONTEXT = 'child-v8';
/** The reporter of such a process. */
export const TO_PARENT = 'v8-serializer';

type Flags = ReturnType<typeof flagsOf>;

/** Reads `--name=value` and `--name value`. */
function flagsOf(args: readonly string[]) {
  const all = (name: string): string[] =>
    args.flatMap((arg, at) => {
      if (arg.startsWith(`${name}=`)) return [arg.slice(name.length + 1)];
      const next = args[at + 1];
      return arg === name && next !== undefined ? [next] : [];
    });
  const last = (name: string) => all(name).at(-1);
  const number = (name: string) => {
    const value = last(name);
    return value === undefined ? undefined : Number(value);
  };
  return { all, last, number, has: (name: string) => args.includes(name) };
}

export function configOf(process: NodeJS.Process): Config {
  const { env, execArgv, stdout } = process;
  const flags = flagsOf([...(env.NODE_OPTIONS ?? '').split(/\s+/).filter(Boolean), ...execArgv]);
  const isRunner = flags.has('--test');
  const isolation = flags.last('--experimental-test-isolation') ?? 'process';
  const passesOn = isRunner && isolation !== 'none';
  return {
    isRunner,
    isolation,
    concurrency: !isRunner || isolation === 'none' ? 1 : flags.number('--test-concurrency') || true,
    forceExit: flags.has('--test-force-exit'),
    only: !passesOn && flags.has('--test-only'),
    names: passesOn ? undefined : patterns(flags, '--test-name-pattern'),
    skips: passesOn ? undefined : patterns(flags, '--test-skip-pattern'),
    ...reporting(flags, env.NODE_TEST_CONTEXT, Boolean(stdout.isTTY)),
    shard: isRunner ? shardOf(flags.last('--test-shard')) : undefined,
    timeout: (isRunner && flags.number('--test-timeout')) || Infinity,
    updatesSnapshots: flags.has('--test-update-snapshots'),
    coverage: flags.has('--experimental-test-coverage') && wantsCoverage(flags),
  };
}

function reporting(flags: Flags, context: string | undefined, isTerminal: boolean) {
  if (context === CHILD_CONTEXT) return { reporters: [TO_PARENT], destinations: ['stdout'] };
  if (context === 'child') return { reporters: ['tap'], destinations: ['stdout'] };
  const destinations = flags.all('--test-reporter-destination');
  const reporters = flags.all('--test-reporter');
  if (reporters.length + destinations.length === 0) reporters.push(isTerminal ? 'spec' : 'tap');
  if (reporters.length === 1 && destinations.length === 0) destinations.push('stdout');
  if (destinations.length !== reporters.length)
    throw argValueError(
      '--test-reporter',
      reporters,
      "must match the number of specified '--test-reporter-destination'",
    );
  return { reporters, destinations };
}

function patterns(flags: Flags, name: string): readonly RegExp[] | undefined {
  const found = flags.all(name).map((text) => patternOf(text, name));
  return found.length > 0 ? found : undefined;
}

/** `text`, or `/text/flags`. */
export function patternOf(text: string, name: string): RegExp {
  const written = /^\/(.*)\/([a-z]*)$/.exec(text);
  try {
    return written ? new RegExp(written[1] ?? '', written[2]) : new RegExp(text);
  } catch (error) {
    throw argValueError(name, text, `is an invalid regular expression. ${(error as Error).message}`);
  }
}

function shardOf(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const written = /^(\d+)\/(\d+)$/.exec(text);
  if (!written) throw argValueError('--test-shard', text, 'must be in the form of <index>/<total>');
  return { index: Number(written[1]), total: Number(written[2]) };
}

export function checkedShard({ index, total }: Shard): Shard {
  needInteger(total, 'options.shard.total', 1);
  if (typeof index === 'number' && (index < 1 || index > total))
    throw outOfRange('options.shard.index', `>= 1 && <= ${total}`, index);
  needInteger(index, 'options.shard.index', 1, total);
  return { index, total };
}

/** The error for the coverage flag, and for the option of run(). */
export const noCoverage = () =>
  unavailable('--experimental-test-coverage', 'the engine counts nothing for programs here');

function wantsCoverage(flags: Flags): boolean {
  for (const what of ['lines', 'branches', 'functions']) {
    const flag = `--test-coverage-${what}`;
    needInteger(flags.number(flag) ?? 0, flag, 0, 100);
  }
  return true;
}
