import type { Crypto } from './builtins/crypto/main.ts';
import type { MakeKeys } from './builtins/crypto/keys/keys.ts';
import type { Http } from './builtins/http/main.ts';
import type { NetServerClass } from './builtins/net/server.ts';
import type { SocketClass } from './builtins/net/socket.ts';
import type { Perf } from './builtins/perf/main.ts';
import type { Readline } from './builtins/readline/main.ts';
import type { Mock } from './builtins/test/mock/main.ts';
import type { MakeWasi } from './builtins/wasi/main.ts';
import type { MakeWebSocket } from './builtins/websocket/main.ts';
import type { MakeBrotli } from './builtins/zlib/brotli/main.ts';
import type { Zlib } from './builtins/zlib/main.ts';

declare module './builtins/builtin.ts' {
  interface NodeParts {
    readonly brotli: MakeBrotli;
    readonly crypto: Crypto;
    readonly http: Http;
    readonly keys: MakeKeys;
    readonly mock: Mock;
    readonly perf: Perf;
    readonly readline: Readline;
    readonly wasi: MakeWasi;
    readonly websocket: MakeWebSocket;
    readonly zlib: Zlib;
  }

  interface BuiltinShapes {
    readonly net: { readonly Socket: SocketClass; readonly Server: NetServerClass };
  }
}
