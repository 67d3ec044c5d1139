/** The text that `--help` prints. */
export const USAGE = `Usage: node [options] [ script.js ] [arguments]

Options:
  -                           script read from stdin (default if no
                              file name is provided, interactive mode
                              if a tty)
  --                          indicate the end of node options
  -c, --check                 syntax check script without executing
  -C, --conditions=...        additional user conditions for
                              conditional exports and imports
  -e, --eval=...              evaluate script
  --env-file=...              set environment variables from supplied
                              file
  -h, --help                  print node command line options
  -i, --interactive           always enter the REPL even if stdin
                              does not appear to be a terminal
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
