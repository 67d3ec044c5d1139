import type { ReplInputs } from '../loader/repl-inputs.ts';
import type { LoadBuiltin, NodeHost } from './builtin.ts';
import { PlainProxy } from './internal/proxies.ts';
import { Recoverable, ReplServer } from './repl/server.ts';

/** Makes `node:repl`. Its inputs run in the global scope of the program, whatever `useGlobal` says. */
export function makeRepl(host: NodeHost, load: LoadBuiltin, inputs: ReplInputs) {
  const start = (options?: unknown) => new ReplServer(options, host, load, inputs);
  const REPLServer = new PlainProxy(ReplServer, {
    apply: (_target, _self, [options]: unknown[]) => start(options),
    construct: (_target, [options]: unknown[]) => start(options),
  });
  return {
    start,
    REPLServer,
    Recoverable,
    writer: (value: unknown) => load('util').inspect(value, { showProxy: true }),
    REPL_MODE_SLOPPY: Symbol('repl-sloppy'),
    REPL_MODE_STRICT: Symbol('repl-strict'),
    builtinModules: Reflect.get(Object(load('module')), 'builtinModules') as unknown,
  };
}

export type Repl = ReturnType<typeof makeRepl>;
