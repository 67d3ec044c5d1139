import type { ChildContext, ChildRequest } from './child-request.ts';

/** A child as node's own functions pass it on: the program's name is the first argument, and the variables are `NAME=VALUE`. */
export interface PreparedSpawn extends Readonly<Record<string, unknown>> {
  readonly file: string;
  readonly args: readonly string[];
  readonly envPairs: readonly string[];
}

const unchanged = (prepared: PreparedSpawn): PreparedSpawn => prepared;

/**
 * The object of `process.binding('spawn_sync')`. Programs such as nyc put their own function here and into the prototype of
 * ChildProcess, to add variables to those of each child.
 */
export const spawnSyncBinding = { spawn: unchanged };

export function prepared(
  { process }: Pick<ChildContext, 'process'>,
  { file, args, options }: ChildRequest,
): PreparedSpawn {
  const envPairs = Object.entries(options.env ?? process.env).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${String(value)}`,
  );
  // The request has the shell's own command already.
  return { ...options, shell: undefined, file, args: [options.argv0 ?? file, ...args], envPairs };
}

export function variablesIn(envPairs: readonly unknown[]): Record<string, string> {
  return Object.fromEntries(
    envPairs.map((pair) => {
      const [, name = '', value = ''] = /^([^=]*)=?([^]*)$/.exec(String(pair)) ?? [];
      return [name, value];
    }),
  );
}

/** The request for `spawnSync`, with the variables that the program's own function gives it. */
export function changedSync(context: Pick<ChildContext, 'process'>, request: ChildRequest): ChildRequest {
  if (spawnSyncBinding.spawn === unchanged) return request;
  const { envPairs } = spawnSyncBinding.spawn(prepared(context, request));
  return { ...request, options: { ...request.options, env: variablesIn(envPairs) } };
}
