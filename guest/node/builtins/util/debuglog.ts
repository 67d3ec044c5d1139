import type { NodeHost } from '../builtin.ts';
import { format } from '../internal/inspect.ts';

type Log = (...args: unknown[]) => void;

/** Whether `NODE_DEBUG` names the section. It is a list in which `*` stands for any text. */
export function isDebugged(list: string, section: string): boolean {
  return list
    .split(',')
    .filter(Boolean)
    .some((each) =>
      new RegExp(`^${each.replace(/[|\\{}()[\]^$+?.]/g, '\\$&').replaceAll('*', '.*')}$`, 'i').test(section),
    );
}

/** Makes `util.debuglog`. */
export function makeDebuglog({ process }: NodeHost) {
  return function debuglog(set: string, ready?: (log: Log) => void) {
    const name = set.toUpperCase();
    const enabled = isDebugged(process.env.NODE_DEBUG ?? '', name);
    const log: Log = Object.defineProperty(
      (...args: unknown[]) => {
        ready?.(log);
        if (enabled) process.stderr.write(`${name} ${process.pid}: ${format(...args)}\n`);
      },
      'enabled',
      { get: () => enabled, configurable: true, enumerable: true },
    );
    return log;
  };
}
