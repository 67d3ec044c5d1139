import { PlainProxy } from './builtins/internal/proxies.ts';

/** A class that may be called without `new`, as node's older ones may. */
export function callable<Class extends new (...args: never[]) => object>(Class: Class): Class {
  return new PlainProxy(Class, {
    apply: (_target, _self, args) => Reflect.construct(Class, args) as unknown,
  });
}
