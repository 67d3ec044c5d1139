/** The flags with a value, `--name=value` or `--name value`. */
export const WITH_VALUE = new Set(
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

/** The name of a flag as it is given in full. */
export function fullName(given: string): string {
  return (SHORT[given] ?? given).replaceAll('_', '-');
}

const ONLY_TYPED = new Set(
  '--eval --print --check --test --version --help --interactive --run --v8-options --watch-path'.split(' '),
);

/** Tells whether a flag is allowed on the command line only, or is unknown. */
export function isNotForEnvironment(word: string): boolean {
  const name = fullName(word.replace(/=.*/s, ''));
  return ONLY_TYPED.has(name) || !(WITH_VALUE.has(name) || isSwitch(name));
}

export function isSwitch(name: string): boolean {
  if (SWITCHES.has(name)) return true;
  if (name.startsWith('--no-'))
    return SWITCHES.has(`--${name.slice(5)}`) || name.startsWith('--no-experimental-');
  return /^--(?:use-strict$|harmony|inspect|experimental-|trace-|turbo|max-lazy)/.test(name);
}
