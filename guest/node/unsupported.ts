/**
 * The missing parts of a builtin module. Their functions say so when called, and so does the system prompt.
 */
export interface Unsupported {
  /** Continues the sentence "… is not available in this workspace: ". */
  readonly why: string;
  readonly names: readonly string[];
  /** Nothing else in the module would be of use. */
  readonly whole?: true;
}

const sockets = 'a browser opens no sockets';
const engine = 'the browser does not let programs at its engine';

/** Keyed by module name, without `node:`. */
export const unsupported = {
  cluster: { why: 'a port has one process; use child_process.fork', names: ['fork'], whole: true },
  crypto: {
    why: 'it has no certificates',
    names: ['Certificate', 'X509Certificate'],
  },
  dgram: { why: sockets, names: ['createSocket', 'Socket'], whole: true },
  dns: {
    why: 'a browser asks no name servers',
    names: [
      ...['Any', '4', '6', 'Caa', 'Cname', 'Mx', 'Naptr', 'Ns', 'Ptr', 'Soa', 'Srv', 'Txt'].map(
        (kind) => `resolve${kind}`,
      ),
      ...['resolve', 'reverse'],
    ],
  },
  domain: {
    why: 'errors are handled where they are thrown',
    names: ['create', 'createDomain', 'Domain'],
    whole: true,
  },
  http2: {
    why: 'use node:http',
    names: [
      ...['connect', 'createServer', 'createSecureServer', 'getDefaultSettings', 'performServerHandshake'],
      ...['Http2ServerRequest', 'Http2ServerResponse'],
    ],
    whole: true,
  },
  https: {
    why: 'servers of a workspace speak plain HTTP; use http.createServer',
    names: ['Server', 'createServer'],
  },
  inspector: { why: engine, names: ['open', 'Session', 'waitForDebugger'], whole: true },
  net: { why: 'connections stay within the workspace', names: ['BlockList', 'SocketAddress'] },
  sqlite: { why: 'it is native code', names: [], whole: true },
  tls: {
    why: 'what leaves the workspace is encrypted by the browser; node:https and fetch reach hosts that are allowed',
    names: ['connect', 'createServer', 'createSecureContext', 'TLSSocket', 'Server'],
    whole: true,
  },
  trace_events: { why: engine, names: ['createTracing'], whole: true },
  vm: { why: 'a new context shares the builtin objects', names: [] },
  v8: { why: engine, names: ['getHeapSnapshot', 'writeHeapSnapshot'] },
  zlib: {
    why: 'it has deflate, gzip and brotli',
    names: [
      ...['ZstdCompress', 'ZstdDecompress', 'createZstdCompress', 'createZstdDecompress'],
      ...['zstdCompress', 'zstdCompressSync', 'zstdDecompress', 'zstdDecompressSync'],
    ],
  },
} satisfies Readonly<Record<string, Unsupported>>;
