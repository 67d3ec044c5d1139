import { nameToEngine } from '../errors/sources.ts';

/** Compiles text with indirect eval. Stack traces and developer tools show `name`. */
export function evaluate(code: string, name: string): unknown {
  return (0, eval)(`${code}\n//# sourceURL=${nameToEngine(name)}`);
}
