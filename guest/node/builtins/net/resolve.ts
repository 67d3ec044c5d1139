import type { NodeHost } from '../builtin.ts';
import { addressOf, isIPv4, isIPv6, isOwnHost } from './addresses.ts';
import type { Lookup } from './arguments.ts';

/** The result of looking up the name of a host. */
export interface Resolved {
  readonly error: Error | null;
  readonly address: string;
}

/**
 * Finds the address of a host by the program's own `lookup`, or else in the workspace. `resolved` is called later
 * in any case. `outside` is called if only the operating system could know the address.
 */
export function resolveHost(
  process: NodeHost['process'],
  name: string,
  lookup: Lookup | undefined,
  resolved: (result: Resolved) => void,
  outside: () => void,
): void {
  if (lookup)
    lookup(name, { hints: 0, all: true }, (error, answer) => resolved({ error, address: firstOf(answer) }));
  else
    process.nextTick(() => {
      if (isOwnHost(name)) resolved({ error: null, address: addressOf(name) });
      else outside();
    });
}

export function isAddress(name: string): boolean {
  return isIPv4(name) || isIPv6(name);
}

/** A lookup answers with one address, or with a list of them. */
function firstOf(answer: unknown): string {
  if (!Array.isArray(answer)) return String(answer);
  const [first] = answer as { address: string }[];
  return first?.address ?? '';
}
