import util from 'node-inspect-extracted';

/** For what is ours: a program cannot tell such a proxy from what it stands for. */
export const PlainProxy = globalThis.Proxy;

/** Whether a program made this with `Proxy`. */
export function isProxy(value: unknown): boolean {
  const isThing = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isThing && util.Proxy.getProxyDetails(value) !== undefined;
}

/** The global `Proxy` remembers what it makes from here on, for `util` to tell and to show. */
export function rememberProxies(): void {
  // The function that remembers proxies creates one itself, with the global constructor.
  let remembering = false;
  const remembered = <Made>(make: () => Made, plain: () => Made): Made => {
    if (remembering) return plain();
    remembering = true;
    try {
      return make();
    } finally {
      remembering = false;
    }
  };
  const revocable = Object.getOwnPropertyDescriptor(PlainProxy, 'revocable');
  Object.defineProperty(PlainProxy, 'revocable', {
    ...revocable,
    value: (target: object, handler: ProxyHandler<object>) =>
      remembered(
        () => util.Proxy.revocable(target, handler),
        () => revocable?.value(target, handler) as unknown,
      ),
  });
  const Remembering = new PlainProxy(PlainProxy, {
    construct: (Plain, args: [object, ProxyHandler<object>]) =>
      remembered(
        () => new util.Proxy(...args),
        () => new Plain(...args),
      ),
  });
  Object.defineProperty(globalThis, 'Proxy', { value: Remembering });
}
