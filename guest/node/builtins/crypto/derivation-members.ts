import { needFunction } from '../internal/errors.ts';
import { later, type CryptoContext } from './context.ts';
import { makeDerivations } from './derive.ts';

/** Makes the functions of `crypto` that derive keys, each in a synchronous form and in one with a callback. */
export function makeDerivationMembers(context: CryptoContext) {
  const derive = makeDerivations(context);

  const both = (
    name: keyof typeof derive,
    /** How many arguments the function takes before the callback. */
    count: number,
    shown: (bytes: Uint8Array) => unknown = (bytes) => context.output(bytes),
  ) => {
    const prepare = (args: unknown[]) => {
      const make: () => Uint8Array = Reflect.apply(derive[name], derive, args);
      return () => shown(make());
    };
    return {
      [`${name}Sync`]: (...args: unknown[]) => prepare(args)(),
      [name]: (...args: unknown[]) => {
        // The options of scrypt before the callback are optional. For the others, a callback that comes early
        // means that an argument is missing, and `prepare` throws.
        const isShort = name === 'scrypt' ? args.length <= count : typeof args[count - 1] === 'function';
        const [callback] = args.splice(isShort ? count - 1 : count);
        const work = prepare(args);
        needFunction(callback, 'callback');
        later(work, callback);
      },
    };
  };

  return {
    ...both('hkdf', 5, (bytes) => Uint8Array.from(bytes).buffer),
    ...both('pbkdf2', 5),
    ...both('scrypt', 4),
  };
}
