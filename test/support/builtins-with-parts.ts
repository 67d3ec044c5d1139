import picomatch from 'picomatch';
import { makeCrypto } from '../../guest/node/builtins/crypto.ts';
import { CryptoKey } from '../../guest/node/builtins/crypto/key-object.ts';
import { makeKeys } from '../../guest/node/builtins/crypto/keys/keys.ts';
import { SubtleCrypto } from '../../guest/node/builtins/crypto/subtle.ts';
import { makeFetch } from '../../guest/node/builtins/fetch.ts';
import { makeHttp, makeHttps } from '../../guest/node/builtins/http.ts';
import { makeNet, makeTls } from '../../guest/node/builtins/net.ts';
import { makePerfHooks } from '../../guest/node/builtins/perf_hooks.ts';
import { makeReadline, makeReadlinePromises } from '../../guest/node/builtins/readline.ts';
import { makeRepl } from '../../guest/node/builtins/repl.ts';
import { makeZlib } from '../../guest/node/builtins/zlib.ts';
import type { NodeParts } from '../../guest/node/builtins/builtin.ts';
import './import-lexer.ts';

export { builtins } from '../../guest/node/builtins/index.ts';

/** The parts of node that make builtins, in one script with them. */
export const parts: Partial<NodeParts> = {
  crypto: { CryptoKey, makeCrypto, SubtleCrypto },
  http: { makeFetch, makeHttp, makeHttps, makeNet, makeTls },
  keys: makeKeys,
  patterns: picomatch,
  perf: { makePerfHooks },
  readline: { makeReadline, makeReadlinePromises, makeRepl },
  zlib: { makeZlib },
};
