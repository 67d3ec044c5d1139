import type { Crypto } from './builtins/crypto/main.ts';
import type { MakeKeys } from './builtins/crypto/keys/keys.ts';
import type { Http } from './builtins/http/main.ts';
import type { Readline } from './builtins/readline/main.ts';
import type { Mock } from './builtins/test/mock/main.ts';
import type { MakeWebSocket } from './builtins/websocket/main.ts';
import type { MakeBrotli } from './builtins/zlib/brotli/main.ts';
import type { Zlib } from './builtins/zlib/main.ts';
import type { MakeLexer } from './loader/lexer/main.ts';
import type { ReadTypes } from './loader/typescript/read.ts';
import type { Picomatch } from './patterns/main.ts';

/** The exports of each part of node that is fetched with its first use. */
export interface NodeParts {
  readonly brotli: MakeBrotli;
  readonly crypto: Crypto;
  readonly http: Http;
  readonly keys: MakeKeys;
  readonly lexer: MakeLexer;
  readonly mock: Mock;
  readonly patterns: Picomatch;
  readonly readline: Readline;
  readonly typescript: ReadTypes;
  readonly websocket: MakeWebSocket;
  readonly zlib: Zlib;
}
