import {
  argTypeError,
  argValueError,
  needFunction,
  needInteger,
  needObject,
  needString,
} from '../internal/errors.ts';
import type { TestsStream } from './events.ts';
import { checkedShard, noCoverage, patternOf, type Shard } from './options.ts';
import type { TestOptions } from './test.ts';

type Patterns = string | RegExp | readonly (string | RegExp)[];

export interface RunOptions extends TestOptions {
  readonly files?: readonly string[] | null;
  readonly globPatterns?: readonly string[] | null;
  readonly forceExit?: boolean | null;
  readonly watch?: boolean | null;
  readonly isolation?: string;
  readonly setup?: ((stream: TestsStream) => unknown) | null;
  readonly shard?: Shard | null;
  readonly testNamePatterns?: Patterns | null;
  readonly testSkipPatterns?: Patterns | null;
  readonly execArgv?: readonly string[];
  readonly argv?: readonly string[];
  readonly coverage?: boolean;
  readonly coverageIncludeGlobs?: string | readonly string[];
  readonly coverageExcludeGlobs?: string | readonly string[];
  readonly lineCoverage?: number;
  readonly branchCoverage?: number;
  readonly functionCoverage?: number;
}

function listed(value: unknown, name: string): void {
  if (value !== undefined && value !== null && !Array.isArray(value))
    throw argTypeError(name, 'Array', value);
}

function yesOrNo(value: unknown, name: string): void {
  if (value !== undefined && value !== null && typeof value !== 'boolean')
    throw argTypeError(name, 'boolean', value);
}

function regexps(given: Patterns | null | undefined, name: string): readonly RegExp[] | undefined {
  if (given === undefined || given === null) return undefined;
  const list = Array.isArray(given) ? given : [given];
  return list.map((each: unknown, at) => {
    if (each instanceof RegExp) return each;
    if (typeof each !== 'string') throw argTypeError(`${name}[${at}]`, ['string', 'RegExp'], each);
    return patternOf(each, `${name}[${at}]`);
  });
}

function texts(given: unknown, name: string): readonly string[] {
  if (given === undefined || given === null) return [];
  const list: unknown[] = Array.isArray(given) ? given : [given];
  return list.map((each, at) => {
    needString(each, `${name}[${at}]`);
    return each;
  });
}

/** Throws as node does where an option is wrong. */
export function checkedRun(options: RunOptions) {
  const given: unknown = options;
  needObject(given, 'options');
  const { files, forceExit, watch, globPatterns, setup, isolation = 'process' } = options;
  listed(files, 'options.files');
  yesOrNo(watch, 'options.watch');
  yesOrNo(forceExit, 'options.forceExit');
  if (forceExit && watch) throw argValueError('options.forceExit', watch, 'is not supported with watch mode');
  yesOrNo(options.only, 'options.only');
  listed(globPatterns, 'options.globPatterns');
  if (globPatterns?.length && files?.length)
    throw argValueError(
      'options.globPatterns',
      globPatterns,
      "is not supported when specifying 'options.files'",
    );
  const part: unknown = options.shard;
  if (part !== undefined && part !== null && (typeof part !== 'object' || Array.isArray(part)))
    throw argTypeError('options.shard', 'object', part);
  const shard = options.shard ? checkedShard(options.shard) : undefined;
  if (shard && watch) throw argValueError('options.shard', watch, 'shards not supported with watch mode');
  if (setup !== undefined && setup !== null) needFunction(setup, 'options.setup');
  const names = regexps(options.testNamePatterns, 'options.testNamePatterns');
  const skips = regexps(options.testSkipPatterns, 'options.testSkipPatterns');
  if (isolation !== 'process' && isolation !== 'none')
    throw argValueError('options.isolation', isolation, "must be one of: 'process', 'none'");
  yesOrNo(options.coverage, 'options.coverage');
  const { lineCoverage = 0, branchCoverage = 0, functionCoverage = 0 } = options;
  needInteger(lineCoverage, 'options.lineCoverage', 0, 100);
  needInteger(branchCoverage, 'options.branchCoverage', 0, 100);
  needInteger(functionCoverage, 'options.functionCoverage', 0, 100);
  texts(options.coverageIncludeGlobs, 'options.coverageIncludeGlobs');
  texts(options.coverageExcludeGlobs, 'options.coverageExcludeGlobs');
  if (options.coverage) throw noCoverage();
  return {
    shard,
    names,
    skips,
    isolation,
    argv: texts(options.argv, 'options.argv'),
    execArgv: texts(options.execArgv, 'options.execArgv'),
  };
}

/** Returns the flags of this process that those of the files get too. */
export function passedOn(execArgv: readonly string[]): string[] {
  const withValue = ['--test-reporter', '--test-reporter-destination'];
  return execArgv.filter(
    (arg, at) =>
      !['--test', '--experimental-test-coverage', '--watch'].includes(arg) &&
      !withValue.some((name) => arg === name || arg.startsWith(`${name}=`) || execArgv[at - 1] === name),
  );
}
