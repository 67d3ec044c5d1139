import type { MakeBuiltin } from './builtin.ts';
import { EventEmitter } from './internal/emitter.ts';

export const makeEvents: MakeBuiltin = (_host, load) => {
  if (!('EventEmitterAsyncResource' in EventEmitter))
    Object.defineProperty(EventEmitter, 'EventEmitterAsyncResource', {
      configurable: true,
      enumerable: true,
      get: () => {
        const { AsyncResource } = load('async_hooks');
        return class EventEmitterAsyncResource extends EventEmitter {
          readonly asyncResource: InstanceType<typeof AsyncResource>;
          constructor(options: { name?: string; captureRejections?: boolean } = {}) {
            super(options);
            this.asyncResource = new AsyncResource(options.name ?? new.target.name);
          }
          override emit(name: string | symbol, ...args: unknown[]): boolean {
            return this.asyncResource.runInAsyncScope(() => super.emit(name, ...args));
          }
          get asyncId() {
            return this.asyncResource.asyncId();
          }
          get triggerAsyncId() {
            return this.asyncResource.triggerAsyncId();
          }
          emitDestroy() {
            this.asyncResource.emitDestroy();
          }
        };
      },
    });
  return EventEmitter;
};
