declare module 'node-inspect-extracted' {
  import type * as node from 'node:util';
  const util: Pick<typeof node, 'inspect' | 'format' | 'formatWithOptions'> & {
    readonly Proxy: {
      new (target: object, handler: ProxyHandler<object>): object;
      revocable(target: object, handler: ProxyHandler<object>): { proxy: object; revoke: () => void };
      /** Returns the target and handler of a proxy made here. */
      getProxyDetails(value: unknown): readonly unknown[] | undefined;
    };
  };
  export default util;
}
declare module 'readable-stream/lib/stream.js' {
  import type * as node from 'node:stream';
  const stream: typeof node & { setDefaultHighWaterMark(objectMode: boolean, value: number): void };
  export default stream;
}
declare module 'readable-stream/lib/ours/errors.js' {
  const errors: {
    readonly codes: Readonly<Record<string, new (...values: unknown[]) => Error & { readonly code: string }>>;
    readonly AbortError: unknown;
    readonly aggregateTwoErrors: unknown;
    readonly hideStackFrames: unknown;
  };
  export default errors;
}
declare module 'punycode/' {
  import type * as node from 'node:punycode';
  const punycode: typeof node;
  export default punycode;
}
declare module 'brotli-wasm/pkg.bundler/brotli_wasm_bg.js' {
  export { CompressStream, DecompressStream } from 'brotli-wasm/pkg.web/brotli_wasm';
}
