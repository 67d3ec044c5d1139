import type { EventLoop } from './loop.ts';

const BODY = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'];

/** Makes promises of the browser's own work, such as reading a body, keep the process alive, as in node. */
export function keepAliveForPromises(loop: EventLoop): void {
  const holders: [object | undefined, readonly string[]][] = [
    [globalThis.Blob?.prototype, BODY],
    [globalThis.Response?.prototype, BODY],
    [globalThis.Request?.prototype, BODY],
    [globalThis.WebAssembly, ['compile', 'instantiate', 'compileStreaming', 'instantiateStreaming']],
  ];
  for (const [holder, names] of holders)
    for (const name of holder ? names : []) {
      const original: unknown = Reflect.get(Object.getOwnPropertyDescriptor(holder, name) ?? {}, 'value');
      if (typeof original !== 'function') continue;
      const counted = function (this: unknown, ...args: unknown[]): unknown {
        const promise: unknown = Reflect.apply(original, this, args);
        const handle = loop.handle();
        const release = () => handle.release();
        void Reflect.apply(Promise.prototype.then, promise, [release, release]);
        return promise;
      };
      Object.defineProperty(counted, 'name', { value: name });
      Object.defineProperty(holder, name, {
        value: counted,
        writable: true,
        configurable: true,
        enumerable: true,
      });
    }
}
