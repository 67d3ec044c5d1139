import { nodeError } from '../builtins/internal/errors.ts';
import type { SharedEnv } from './shared-env.ts';

/**
 * Makes `process.env`, whose values are always text. `shared`: returns the variables shared with other
 * threads, if any.
 */
export function environment(
  given: Readonly<Record<string, string>>,
  shared: () => SharedEnv | undefined,
): NodeJS.ProcessEnv {
  const target: Record<string, string> = Object.assign(Object.create({}) as Record<string, string>, given);
  const change = (run: () => void) => {
    const all = shared();
    if (all) all.write(target, run);
    else run();
    return true;
  };
  return new Proxy(target, {
    get(env, name, receiver): unknown {
      shared()?.read(env);
      return Reflect.get(env, name, receiver);
    },
    has(env, name) {
      shared()?.read(env);
      return Reflect.has(env, name);
    },
    ownKeys(env) {
      shared()?.read(env);
      return Reflect.ownKeys(env);
    },
    getOwnPropertyDescriptor(env, name) {
      shared()?.read(env);
      return Reflect.getOwnPropertyDescriptor(env, name);
    },
    deleteProperty: (env, name) => change(() => Reflect.deleteProperty(env, name)),
    set(env, name, value) {
      if (typeof name === 'symbol' || typeof value === 'symbol')
        throw new TypeError('Cannot convert a Symbol value to a string');
      if (name === '') return true;
      return change(() => (env[name] = String(value)));
    },
    defineProperty(env, name, descriptor) {
      if (descriptor.get || descriptor.set)
        throw nodeError(
          'ERR_INVALID_OBJECT_DEFINE_PROPERTY',
          "'process.env' does not accept an accessor(getter/setter) descriptor",
          TypeError,
        );
      if (
        !('value' in descriptor) ||
        !descriptor.configurable ||
        !descriptor.writable ||
        !descriptor.enumerable
      )
        throw nodeError(
          'ERR_INVALID_OBJECT_DEFINE_PROPERTY',
          "'process.env' only accepts a configurable, writable, and enumerable data descriptor",
          TypeError,
        );
      return change(() =>
        Reflect.defineProperty(env, name, { ...descriptor, value: String(descriptor.value) }),
      );
    },
  });
}
