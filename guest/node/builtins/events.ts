import type { MakeBuiltin } from './builtin.ts';
import { EventEmitter } from './internal/emitter.ts';
import { invalidThis, needString } from './internal/errors.ts';

interface ResourceOptions {
  readonly name?: string;
  readonly captureRejections?: boolean;
  readonly triggerAsyncId?: number;
  readonly requireManualDestroy?: boolean;
}

export const makeEvents: MakeBuiltin = (_host, load) => {
  if (!('EventEmitterAsyncResource' in EventEmitter))
    Object.defineProperty(EventEmitter, 'EventEmitterAsyncResource', {
      configurable: true,
      enumerable: true,
      get: () => (made ??= makeClass()),
    });
  let made: ReturnType<typeof makeClass> | undefined;
  function makeClass() {
    const { AsyncResource } = load('async_hooks');
    return class EventEmitterAsyncResource extends EventEmitter {
      readonly #resource: InstanceType<typeof AsyncResource>;
      constructor(given?: string | ResourceOptions) {
        const options = typeof given === 'string' ? { name: given } : (given ?? {});
        if (new.target === EventEmitterAsyncResource) needString(options.name, 'options.name');
        super(typeof given === 'string' ? undefined : given);
        this.#resource = new AsyncResource(options.name || new.target.name, options);
        Object.defineProperty(this.#resource, 'eventEmitter', { value: this });
      }
      override emit(name: string | symbol, ...args: unknown[]): boolean {
        return this.asyncResource.runInAsyncScope(() => super.emit(name, ...args));
      }
      emitDestroy() {
        this.asyncResource.emitDestroy();
      }
      get asyncId() {
        if (!isOne(this)) throw invalidThis('EventEmitterAsyncResource');
        return this.#resource.asyncId();
      }
      get triggerAsyncId() {
        if (!isOne(this)) throw invalidThis('EventEmitterAsyncResource');
        return this.#resource.triggerAsyncId();
      }
      get asyncResource() {
        if (!isOne(this)) throw invalidThis('EventEmitterAsyncResource');
        return this.#resource;
      }
      static {
        isOne = (value) => #resource in (value as object);
      }
    };
  }
  let isOne: (value: unknown) => boolean;
  return EventEmitter;
};
