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
  readonly inputType: 'module' | 'commonjs' | 'module-typescript' | 'commonjs-typescript' | undefined;
  readonly envFiles: readonly { readonly path: string; readonly optional: boolean }[];
  readonly watch: boolean;
  readonly watchPaths: readonly string[];
  readonly run: string | undefined;
  readonly flags: ReadonlyMap<string, string | true>;
}

/** Flags with a value, `--name=value` or `--name value`. */
const WITH_VALUE = new Set(
  [
    '--conditions --diagnostic-dir --disable-warning --env-file --env-file-if-exists --experimental-loader --loader',
    '--icu-data-dir --import --input-type --localstorage-file --max-http-header-size --network-family-autoselection-attempt-timeout',
    '--redirect-warnings --require --run --secure-heap --test-concurrency --test-coverage-branches --test-coverage-exclude',
    '--test-coverage-functions --test-coverage-include --test-coverage-lines',
    '--experimental-test-isolation --test-name-pattern --test-reporter --test-reporter-destination --test-shard',
    '--test-skip-pattern --test-timeout --title --trace-event-categories --unhandled-rejections --watch-path --dns-result-order',
    '--max-old-space-size --max-semi-space-size --stack-trace-limit --stack-size --heapsnapshot-signal --watch-kill-signal',
  ]
    .join(' ')
    .split(' '),
);

const SWITCHES = new Set(
  [
    '--abort-on-uncaught-exception --allow-addons --allow-child-process --allow-worker --check --enable-source-maps',
    '--enable-fips --entry-url --eval --expose-gc --experimental-default-type --experimental-detect-module',
    '--experimental-eventsource --experimental-import-meta-resolve --experimental-json-modules --experimental-network-inspection',
    '--experimental-permission --permission --experimental-print-required-tla --experimental-repl-await --experimental-require-module',
    '--experimental-sqlite --experimental-strip-types --experimental-test-coverage --experimental-test-module-mocks',
    '--experimental-test-snapshots --experimental-transform-types --experimental-vm-modules --experimental-wasm-modules',
    '--experimental-webstorage --experimental-websocket --experimental-worker --force-fips --frozen-intrinsics --help',
    '--insecure-http-parser --interactive --interpreted-frames-native-stack --jitless --no-addons --no-deprecation',
    '--no-warnings --node-snapshot --pending-deprecation --preserve-symlinks --preserve-symlinks-main --print --test',
    '--test-force-exit --test-only --test-update-snapshots --throw-deprecation --trace-deprecation --trace-exit',
    '--trace-sigint --trace-sync-io --trace-uncaught --trace-warnings --use-bundled-ca --use-openssl-ca --verify-base-objects',
    '--version --v8-options --warnings --watch --watch-preserve-output --zero-fill-buffers --allow-natives-syntax --prof',
    '--force-node-api-uncaught-exceptions-policy --async-context-frame --experimental-async-context-frame --track-heap-objects',
    '--global-search-paths --extra-info-on-fatal-exception --deprecation --experimental-global-navigator --verbose',
  ]
    .join(' ')
    .split(' '),
);

const SHORT: Readonly<Record<string, string>> = {
  '-e': '--eval',
  '-p': '--print',
  '-c': '--check',
  '-r': '--require',
  '-i': '--interactive',
  '-v': '--version',
  '-h': '--help',
  '-C': '--conditions',
  '-pe': '--print',
};

const USAGE = `Usage: node [options] [ script.js ] [arguments]

Options:
  -                           script read from stdin (default if no
                              file name is provided)
  --                          indicate the end of node options
  -c, --check                 syntax check script without executing
  -C, --conditions=...        additional user conditions for
                              conditional exports and imports
  -e, --eval=...              evaluate script
  --env-file=...              set environment variables from supplied
                              file
  -h, --help                  print node command line options
  --import=...                ES module to preload (option can be
                              repeated)
  --input-type=...            set module type for string input
  -p, --print [...]           evaluate script and print result
  -r, --require=...           CommonJS module to preload (option can be
                              repeated)
  --test                      launch test runner on startup
  --test-concurrency=...      how many files are run at once
  --test-coverage-branches=...
                              smallest share of branches covered
  --test-coverage-exclude=... files that coverage leaves out
  --test-coverage-functions=...
                              smallest share of functions covered
  --test-coverage-include=... files that coverage is of
  --test-coverage-lines=...   smallest share of lines covered
  --test-force-exit           end once all tests have ended
  --test-name-pattern=...     only tests of such a name
  --test-only                 only tests with the 'only' option
  --test-reporter=...         how results are shown
  --test-reporter-destination=...
                              where results are written
  --test-shard=...            one part of the files, as 1/3
  --test-skip-pattern=...     no tests of such a name
  --test-timeout=...          how long a test may take, in ms
  --test-update-snapshots     write snapshots anew
  -v, --version               print Node.js version
  --watch                     run in watch mode

This is a Node-compatible runtime in the browser; it answers as Node.js does.
`;

/** Reads a command line, without the program's name. `version` is what `-v` prints. */
export function parseCli(words: readonly string[], nodeOptions: string | undefined, version: string): Cli {
  const flags = new Map<string, string | true>();
  const requires: string[] = [];
  const imports: string[] = [];
  const conditions: string[] = [];
  const envFiles: { path: string; optional: boolean }[] = [];
  const watchPaths: string[] = [];
  const execArgv: string[] = [];
  let source: string | undefined;
  let failure: string | undefined;

  const read = (list: readonly string[], keepsArgs: boolean): number => {
    let at = 0;
    for (; at < list.length && failure === undefined; at++) {
      const word = list[at] ?? '';
      if (word === '--') return at + 1;
      if (word === '-' || !word.startsWith('-')) return at;
      if (!keepsArgs && isNotForEnvironment(word)) {
        failure = `${word} is not allowed in NODE_OPTIONS`;
        return at;
      }
      const equals = word.startsWith('--') ? word.indexOf('=') : -1;
      const given = equals > 0 ? word.slice(0, equals) : word;
      const name = (SHORT[given] ?? given).replaceAll('_', '-');
      const inline = equals > 0 ? word.slice(equals + 1) : undefined;
      const start = at;
      const value = (): string => {
        if (inline !== undefined) return inline;
        const next = list[at + 1];
        if (next === undefined || (next.startsWith('-') && next.length > 1 && name !== '--eval')) {
          failure = `${word} requires an argument`;
          return '';
        }
        at++;
        return next;
      };
      if (name === '--eval') {
        source = value();
        flags.set(name, true);
      } else if (name === '--print') {
        flags.set(name, true);
        const next = list[at + 1];
        if (inline !== undefined || (next !== undefined && !next.startsWith('-'))) {
          if (source === undefined) source = value();
        }
      } else if (name === '--require') requires.push(value());
      else if (name === '--import') imports.push(value());
      else if (name === '--conditions') conditions.push(value());
      else if (name === '--env-file' || name === '--env-file-if-exists')
        envFiles.push({ path: value(), optional: name !== '--env-file' });
      else if (name === '--watch-path') {
        watchPaths.push(value());
        flags.set('--watch', true);
      } else if (WITH_VALUE.has(name)) {
        const before = flags.get(name);
        const now = value();
        const repeats = /^--(?:test-|disable-warning$|loader$|experimental-loader$)/.test(name);
        flags.set(name, repeats && typeof before === 'string' ? `${before}\n${now}` : now);
      } else if (isSwitch(name)) flags.set(name, inline ?? true);
      else failure = `bad option: ${word}`;
      if (keepsArgs && !name.startsWith('--watch')) execArgv.push(...list.slice(start, at + 1));
    }
    return at;
  };
  read(wordsOf(nodeOptions ?? ''), false);
  const rest = failure === undefined ? words.slice(read(words, true)) : [];
  const type = flags.get('--input-type');
  if (
    failure === undefined &&
    type !== undefined &&
    !/^(?:module|commonjs)(?:-typescript)?$/.test(String(type))
  )
    failure = '--input-type must be "module","commonjs", "module-typescript" or "commonjs-typescript"';

  const rejections = flags.get('--unhandled-rejections');
  if (rejections !== undefined && !REJECTION_MODES.has(String(rejections)))
    failure ??= 'invalid value for --unhandled-rejections';

  return {
    mode: modeOf(),
    args: modeArgs(),
    execArgv,
    requires,
    imports,
    conditions,
    inputType: type as Cli['inputType'],
    envFiles,
    watch: flags.has('--watch'),
    watchPaths,
    run: typeof flags.get('--run') === 'string' ? String(flags.get('--run')) : undefined,
    flags,
  };

  function modeOf(): Cli['mode'] {
    if (failure !== undefined) return { kind: 'say', text: `node: ${failure}\n`, code: 9 };
    if (flags.has('--version')) return { kind: 'say', text: `${version}\n`, code: 0 };
    if (flags.has('--help')) return { kind: 'say', text: USAGE, code: 0 };
    const unwatchable = flags.has('--watch') && cannotWatch();
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

  function cannotWatch(): string | undefined {
    if (flags.has('--check')) return 'either --watch or --check can be used, not both';
    if (source !== undefined) return 'either --watch or --eval can be used, not both';
    if (flags.has('--test'))
      return watchPaths.length > 0 ? '--watch-path cannot be used in combination with --test' : undefined;
    return rest.length === 0 ? '--watch requires specifying a file' : undefined;
  }

  function modeArgs(): readonly string[] {
    if (source !== undefined || flags.has('--test') || flags.has('--run')) return rest;
    return rest.slice(1);
  }
}

/**
 * Splits NODE_OPTIONS into words. Double quotes keep spaces, and a backslash keeps the character after it.
 */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/(?:"(?:[^"\\]|\\.)*"|\\.|[^\s"])+/gs)].map(([word]) =>
    word.replace(/\\(.)|"/gs, (_all, escaped: string | undefined) => escaped ?? ''),
  );
}

const ONLY_TYPED = new Set(
  '--eval --print --check --test --version --help --interactive --run --v8-options --watch-path'.split(' '),
);

/** Tells whether a flag is allowed on the command line only, or is unknown. */
function isNotForEnvironment(word: string): boolean {
  const given = word.replace(/=.*/s, '');
  const name = (SHORT[given] ?? given).replaceAll('_', '-');
  return ONLY_TYPED.has(name) || !(WITH_VALUE.has(name) || isSwitch(name));
}

const REJECTION_MODES: ReadonlySet<string> = new Set([
  'none',
  'strict',
  'throw',
  'warn',
  'warn-with-error-code',
]);

function isSwitch(name: string): boolean {
  if (SWITCHES.has(name)) return true;
  if (name.startsWith('--no-'))
    return SWITCHES.has(`--${name.slice(5)}`) || name.startsWith('--no-experimental-');
  return /^--(?:use-strict$|harmony|inspect|experimental-|trace-|turbo|max-lazy)/.test(name);
}
