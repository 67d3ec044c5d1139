import type { NodeHost } from '../builtin.ts';
import { needString } from '../internal/errors.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Makes `util.deprecate`. A code is warned of once in a process. */
export function makeDeprecate(host: NodeHost) {
  const warnedCodes = new Set<string>();
  return function deprecate(original: AnyFunction, message: string, code?: string): AnyFunction {
    if (code !== undefined) needString(code, 'code');
    if (host.process.noDeprecation) return original;
    let warned = false;
    function deprecated(this: unknown, ...args: unknown[]): unknown {
      if (!warned) {
        warned = true;
        if (code === undefined || !warnedCodes.has(code)) {
          if (code !== undefined) warnedCodes.add(code);
          if (code === undefined) host.process.emitWarning(message, 'DeprecationWarning');
          else host.process.emitWarning(message, 'DeprecationWarning', code);
        }
      }
      if (new.target) return Reflect.construct(original, args, new.target);
      return Reflect.apply(original, this, args);
    }
    Object.setPrototypeOf(deprecated, original);
    if (original.prototype) deprecated.prototype = original.prototype;
    Object.defineProperty(deprecated, 'length', { ...Object.getOwnPropertyDescriptor(original, 'length') });
    return deprecated;
  };
}
