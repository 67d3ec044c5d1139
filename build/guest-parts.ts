/**
 * Scripts that are fetched on first use and run inside another guest script. They use that script's modules
 * instead of copies, so that both have the same classes.
 */
const HOST = 'guest/node/main.ts';
const PARTS: readonly string[] = [
  'guest/node/builtins/crypto/keys/main.ts',
  'guest/node/builtins/crypto/main.ts',
  'guest/node/builtins/http/main.ts',
  'guest/node/builtins/readline/main.ts',
  'guest/node/builtins/test/mock/main.ts',
  'guest/node/builtins/websocket/main.ts',
  'guest/node/builtins/zlib/brotli/main.ts',
  'guest/node/builtins/zlib/main.ts',
  'guest/node/loader/lexer/main.ts',
  'guest/node/loader/typescript/main.ts',
  'guest/node/patterns/main.ts',
];

export const partsOf = (entry: string): readonly string[] => (entry === HOST ? PARTS : []);

/** Returns the script that a part runs in, or undefined if `entry` is not a part. */
export const hostOf = (entry: string): string | undefined => (PARTS.includes(entry) ? HOST : undefined);
