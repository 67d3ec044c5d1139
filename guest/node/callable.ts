import { PlainProxy } from './builtins/internal/proxies.ts';

/** A class that may be called without `new`, as node's older ones may. */
export function callable<Class extends new (...args: never[]) => object>(Class: Class): Class {
  return new PlainProxy(Class, {
    apply: (_target, _self, args) => Reflect.construct(Class, args) as unknown,
  });
}

let given: object | undefined;

/** For what is made by {@link inheritable}: what a class extends whose own constructor is a function. */
export function plainBase<Base extends abstract new (...args: never[]) => object>(base: Base): Base {
  function Root(this: object, ...args: unknown[]): object {
    const target = given;
    given = undefined;
    if (!target) return Reflect.construct(base, args, new.target ?? base) as object;
    Reflect.apply(Object(base) as () => void, target, args);
    return target;
  }
  Object.setPrototypeOf(Root, base);
  Root.prototype = base.prototype;
  return Object(Root) as Base;
}

/** As {@link callable}, and on an object that inherits from it: `Server.call(this)`, as was written before classes. */
export function inheritable<Class extends new (...args: never[]) => object>(Class: Class): Class {
  return new PlainProxy(Class, {
    apply(_target, self: unknown, args) {
      if (!(self instanceof Class)) return Reflect.construct(Class, args) as unknown;
      given = self;
      try {
        Reflect.construct(Class, args);
      } finally {
        given = undefined;
      }
      return undefined;
    },
  });
}
