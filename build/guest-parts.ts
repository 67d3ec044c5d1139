/**
 * Scripts that are fetched on first use and run inside another guest script. They use that script's modules
 * instead of copies, so that both have the same classes.
 */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'guest/node/main.ts': [
    'guest/node/builtins/crypto/keys/main.ts',
    'guest/node/builtins/crypto/main.ts',
    'guest/node/builtins/http/main.ts',
    'guest/node/builtins/perf/main.ts',
    'guest/node/builtins/readline/main.ts',
    'guest/node/builtins/test/mock/main.ts',
    'guest/node/builtins/wasi/main.ts',
    'guest/node/builtins/websocket/main.ts',
    'guest/node/builtins/zlib/brotli/main.ts',
    'guest/node/builtins/zlib/main.ts',
    'guest/node/loader/imports/main.ts',
    'guest/node/loader/lexer/main.ts',
    'guest/node/loader/typescript/main.ts',
    'guest/node/patterns/main.ts',
  ],
  'guest/shell/main.ts': [
    'guest/git/main.ts',
    'guest/shell/commands/archives/main.ts',
    'guest/shell/commands/awk/main.ts',
    'guest/shell/commands/diff/main.ts',
    'guest/shell/commands/jq/main.ts',
    'guest/shell/commands/less/main.ts',
    'guest/shell/commands/math/main.ts',
    'guest/shell/commands/npm/main.ts',
    'guest/shell/commands/rare/main.ts',
    'guest/shell/commands/rg/main.ts',
    'guest/shell/commands/sed/main.ts',
    'guest/shell/commands/sums/main.ts',
  ],
};

export const partsOf = (entry: string): readonly string[] => PARTS[entry] ?? [];

/** Returns the script that a part runs in, or undefined if `entry` is not a part. */
export const hostOf = (entry: string): string | undefined =>
  Object.keys(PARTS).find((host) => PARTS[host]?.includes(entry));
