import type { EventLoop, LoopHandle } from './loop.ts';

const BODY = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'];

/** A port that is listened to keeps the process alive until it is closed. */
export function holdForPorts(loop: EventLoop): void {
  const { prototype } = globalThis.MessagePort;
  const { get, set } = Object.getOwnPropertyDescriptor(prototype, 'onmessage') ?? {};
  const close: unknown = Reflect.get(prototype, 'close');
  if (!get || !set || typeof close !== 'function') return;
  const handles = new WeakMap<object, LoopHandle>();
  const release = (port: object) => {
    handles.get(port)?.release();
    handles.delete(port);
  };
  Object.defineProperty(prototype, 'onmessage', {
    configurable: true,
    enumerable: true,
    get,
    set(this: object, listener: unknown) {
      Reflect.apply(set, this, [listener]);
      if (typeof listener !== 'function') release(this);
      else if (!handles.has(this)) handles.set(this, loop.handle());
    },
  });
  Object.defineProperty(prototype, 'close', {
    configurable: true,
    writable: true,
    value(this: object) {
      release(this);
      Reflect.apply(close, this, []);
    },
  });
}

/** Work of the browser's own that a process waits for: its promises keep the process alive as node's own do. */
export function holdForPromises(loop: EventLoop): void {
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
      const held = function (this: unknown, ...args: unknown[]): unknown {
        const promise: unknown = Reflect.apply(original, this, args);
        const handle = loop.handle();
        const release = () => handle.release();
        void Reflect.apply(Promise.prototype.then, promise, [release, release]);
        return promise;
      };
      Object.defineProperty(held, 'name', { value: name });
      Object.defineProperty(holder, name, {
        value: held,
        writable: true,
        configurable: true,
        enumerable: true,
      });
    }
}
