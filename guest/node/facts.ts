import { NEED_THE_REGISTRY, VERBS } from '../shell/commands/npm/verbs.ts';
import { VERSION } from './versions.ts';

/** What `node` and npm are here: told to the model and in the documentation. */
export interface NodeFacts {
  readonly version: string;
  /** Modules that are there in part or not at all, and what that means. */
  readonly lacks: readonly { readonly modules: readonly string[]; readonly why: string }[];
  /** npm's commands, those that work and those that cannot. */
  readonly npm: { readonly works: readonly string[]; readonly lacks: readonly string[] };
}

export const nodeFacts: NodeFacts = {
  version: VERSION,
  lacks: [
    { modules: ['net', 'tls', 'dgram', 'http2'], why: 'no raw sockets: use http, https or fetch' },
    {
      modules: ['http', 'https'],
      why: 'servers are reached from inside the workspace, and outside only the hosts that the settings name',
    },
    { modules: ['cluster', 'inspector', 'repl', 'wasi', 'trace_events', 'sqlite'], why: 'not there' },
    { modules: ['vm'], why: 'a new context shares the builtin objects' },
    { modules: ['async_hooks'], why: 'AsyncLocalStorage is kept by timers, ticks and then, not by await' },
    {
      modules: ['crypto'],
      why: 'hashes, HMAC, random values and key derivation: no ciphers, keys or web crypto',
    },
    { modules: ['zlib'], why: 'deflate and gzip, no brotli' },
  ],
  npm: { works: VERBS, lacks: NEED_THE_REGISTRY },
};
