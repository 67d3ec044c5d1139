import { FlagReader } from './flag-reader.ts';
import { USAGE } from './usage.ts';

/** A parsed command line of `node`. */
export interface Cli {
  readonly mode:
    | { readonly kind: 'file'; readonly path: string }
    | { readonly kind: 'eval'; readonly source: string; readonly print: boolean }
    | { readonly kind: 'stdin'; readonly print: boolean; readonly named: boolean }
    | { readonly kind: 'check'; readonly path: string | undefined }
    | { readonly kind: 'test'; readonly patterns: readonly string[] }
    | { readonly kind: 'say'; readonly text: string; readonly code: number };
  /** The arguments that the program sees after its own name. */
  readonly args: readonly string[];
  /**
   * The flags of node itself as they were given, without those for watching: the watched process lacks them.
   */
  readonly execArgv: readonly string[];
  readonly requires: readonly string[];
  readonly imports: readonly string[];
  readonly conditions: readonly string[];
  readonly inputType: (typeof INPUT_TYPES)[number] | undefined;
  readonly envFiles: readonly { readonly path: string; readonly optional: boolean }[];
  readonly watch: boolean;
  readonly watchPaths: readonly string[];
  readonly run: string | undefined;
  readonly flags: ReadonlyMap<string, string | true>;
}

const REJECTION_MODES: ReadonlySet<string> = new Set([
  'none',
  'strict',
  'throw',
  'warn',
  'warn-with-error-code',
]);

const INPUT_TYPES = ['module', 'commonjs', 'module-typescript', 'commonjs-typescript'] as const;

/** Reads a command line, without the program's name. `version` is what `-v` prints. */
export function parseCli(words: readonly string[], nodeOptions: string | undefined, version: string): Cli {
  const given = new FlagReader();
  given.read(wordsOf(nodeOptions ?? ''), 'environment');
  const rest = given.failure === undefined ? words.slice(given.read(words, 'command line')) : [];
  const { flags, source, requires, imports, conditions, envFiles, watchPaths, execArgv } = given;
  const failure = given.failure ?? wrongValue(flags);
  const run = flags.get('--run');
  const takesAll = source !== undefined || flags.has('--test') || flags.has('--run');
  return {
    mode:
      failure === undefined
        ? modeOf(given, rest, version)
        : { kind: 'say', text: `node: ${failure}\n`, code: 9 },
    args: takesAll ? rest : rest.slice(1),
    execArgv,
    requires,
    imports,
    conditions,
    inputType: INPUT_TYPES.find((type) => type === flags.get('--input-type')),
    envFiles,
    watch: flags.has('--watch'),
    watchPaths,
    run: typeof run === 'string' ? run : undefined,
    flags,
  };
}

function wrongValue(flags: Cli['flags']): string | undefined {
  const type = flags.get('--input-type');
  if (type !== undefined && !INPUT_TYPES.some((each) => each === type))
    return '--input-type must be "module","commonjs", "module-typescript" or "commonjs-typescript"';
  const rejections = flags.get('--unhandled-rejections');
  if (rejections !== undefined && !REJECTION_MODES.has(String(rejections)))
    return 'invalid value for --unhandled-rejections';
  return undefined;
}

function modeOf(given: FlagReader, rest: readonly string[], version: string): Cli['mode'] {
  const { flags, source } = given;
  if (flags.has('--version')) return { kind: 'say', text: `${version}\n`, code: 0 };
  if (flags.has('--help')) return { kind: 'say', text: USAGE, code: 0 };
  const unwatchable = flags.has('--watch') && cannotWatch(given, rest);
  if (unwatchable) return { kind: 'say', text: `node: ${unwatchable}\n`, code: 9 };
  if (flags.has('--check') && source !== undefined)
    return { kind: 'say', text: 'node: either --check or --eval can be used, not both\n', code: 9 };
  if (flags.has('--check')) return { kind: 'check', path: rest[0] };
  if (flags.has('--test')) return { kind: 'test', patterns: rest };
  const print = flags.has('--print');
  if (source !== undefined) return { kind: 'eval', source, print };
  const [first] = rest;
  if (first === undefined || first === '-') return { kind: 'stdin', print, named: first === '-' };
  return { kind: 'file', path: first };
}

function cannotWatch({ flags, source, watchPaths }: FlagReader, rest: readonly string[]): string | undefined {
  if (flags.has('--check')) return 'either --watch or --check can be used, not both';
  if (source !== undefined) return 'either --watch or --eval can be used, not both';
  if (flags.has('--test'))
    return watchPaths.length > 0 ? '--watch-path cannot be used in combination with --test' : undefined;
  return rest.length === 0 ? '--watch requires specifying a file' : undefined;
}

/**
 * Splits NODE_OPTIONS into words. Double quotes keep spaces, and a backslash keeps the character after it.
 */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/(?:"(?:[^"\\]|\\.)*"|\\.|[^\s"])+/gs)].map(([word]) =>
    word.replace(/\\(.)|"/gs, (_all, escaped: string | undefined) => escaped ?? ''),
  );
}
