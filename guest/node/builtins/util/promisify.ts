import { needFunction, nodeError } from '../internal/errors.ts';
import { customPromisify, customPromisifyArgs } from '../internal/symbols.ts';

export function promisify(original: unknown): unknown {
  needFunction(original, 'original');
  const custom: unknown = Reflect.get(original, customPromisify);
  if (custom) {
    needFunction(custom, 'util.promisify.custom');
    return Object.defineProperty(custom, customPromisify, { value: custom, configurable: true });
  }
  const names: unknown = Reflect.get(original, customPromisifyArgs);
  const run = original;
  function fn(this: unknown, ...args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      Reflect.apply(run, this, [
        ...args,
        (error: unknown, ...values: unknown[]) => {
          if (error) reject(error);
          else if (Array.isArray(names) && values.length > 1)
            resolve(Object.fromEntries(names.map((name, at) => [String(name), values[at]])));
          else resolve(values[0]);
        },
      ]);
    });
  }
  Object.setPrototypeOf(fn, Object.getPrototypeOf(original));
  Object.defineProperty(fn, customPromisify, { value: fn, configurable: true });
  const properties = ownProperties(original);
  for (const each of Object.values(properties)) if ('value' in each) each.writable = true;
  return Object.defineProperties(fn, properties);
}
promisify.custom = customPromisify;

// A sloppy function's own `arguments` and `caller` cannot be defined anew.
function ownProperties(original: object): Record<string, PropertyDescriptor> {
  const descriptors: Record<string, PropertyDescriptor> = Object.getOwnPropertyDescriptors(original);
  const { arguments: _arguments, caller: _caller, ...rest } = descriptors;
  return rest;
}

export function callbackify(original: unknown): unknown {
  needFunction(original, 'original');
  const callbackified = function (this: unknown, ...args: unknown[]) {
    const callback = args.pop();
    needFunction(callback, 'last argument');
    const settle = (...values: unknown[]) =>
      process.nextTick(() => void Reflect.apply(callback, this, values));
    Promise.resolve(Reflect.apply(original, this, args)).then(
      (value) => settle(null, value),
      (reason: unknown) =>
        settle(
          reason ||
            nodeError('ERR_FALSY_VALUE_REJECTION', 'Promise was rejected with falsy value', Error, {
              reason,
            }),
        ),
    );
  };
  const properties = ownProperties(original);
  if (typeof properties.length?.value === 'number') properties.length.value += 1;
  if (typeof properties.name?.value === 'string') properties.name.value += 'Callbackified';
  return Object.defineProperties(callbackified, properties);
}
