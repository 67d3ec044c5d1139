/** Smaller modules are compiled about as fast as the kernel could be told. */
const LEAST_BYTES = 100_000;
/** How many bytes of a module its name is made from. */
const SAMPLES = 4096;

/** Is told of a module that was compiled. Modules of the same bytes have the same name. */
export type ModuleCompiled = (name: string, module: WebAssembly.Module) => void;

/** Reports the larger WebAssembly modules that the program compiles. Must be called before the program runs. */
export function reportCompiledModules(compiled: ModuleCompiled): void {
  const report = (bytes: unknown, result: unknown) => {
    const module: unknown = result instanceof Object && 'module' in result ? result.module : result;
    const name = nameOf(bytes);
    if (name !== undefined && module instanceof WebAssembly.Module) compiled(name, module);
  };
  const Native = WebAssembly.Module;
  const Reporting = new Proxy(Native, {
    construct(_target, args: unknown[], target) {
      const module: object = Reflect.construct(Native, args, target === Reporting ? Native : target);
      report(args[0], module);
      return module;
    },
  });
  replace(Native.prototype, 'constructor', Reporting);
  replace(WebAssembly, 'Module', Reporting);
  for (const name of ['compile', 'instantiate'] as const) {
    const original: unknown = WebAssembly[name];
    if (typeof original !== 'function') continue;
    const reporting = function (this: unknown, ...args: unknown[]): unknown {
      const promise: unknown = Reflect.apply(original, this, args);
      const done = (result: unknown) => report(args[0], result);
      void Reflect.apply(Promise.prototype.then, promise, [done, () => {}]);
      return promise;
    };
    Object.defineProperty(reporting, 'name', { value: name });
    replace(WebAssembly, name, reporting);
  }
}

function replace(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { ...Object.getOwnPropertyDescriptor(holder, name), value });
}

/** The length and a checksum (FNV-1a) of bytes from all over a module. Undefined for what is small or no bytes. */
function nameOf(source: unknown): string | undefined {
  const bytes = bytesOf(source);
  if (!bytes || bytes.byteLength < LEAST_BYTES) return undefined;
  let sum = 0x811c9dc5;
  const step = Math.floor(bytes.byteLength / SAMPLES);
  for (let at = 0; at < bytes.byteLength; at += step) sum = Math.imul(sum ^ (bytes[at] ?? 0), 0x01000193);
  return `${bytes.byteLength} ${sum}`;
}

function bytesOf(source: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  const isBuffer = source instanceof ArrayBuffer || source instanceof SharedArrayBuffer;
  return isBuffer ? new Uint8Array(source) : undefined;
}
