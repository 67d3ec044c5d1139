import { PlainProxy } from './internal/proxies.ts';

/** Makes a class callable without `new`, like node's older classes. */
export function callable<Class extends new (...args: never[]) => object>(Class: Class): Class {
  return new PlainProxy(Class, {
    apply: (_target, _self, args) => Reflect.construct(Class, args) as unknown,
  });
}

let given: object | undefined;

/** Makes a base for a class that goes through {@link inheritable}. It runs `base` on an existing object. */
export function plainBase<Base extends abstract new (...args: never[]) => object>(base: Base): Base {
  function Root(this: object, ...args: unknown[]): object {
    const target = given;
    given = undefined;
    if (!target) return Reflect.construct(base, args, new.target ?? base);
    Reflect.apply(Object(base) as () => void, target, args);
    return target;
  }
  Object.setPrototypeOf(Root, base);
  Root.prototype = base.prototype;
  return Object(Root) as Base;
}

/** Like {@link callable}, but also supports `Server.call(this)` on an object that inherits from the class. */
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
