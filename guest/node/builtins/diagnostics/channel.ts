import { needFunction } from '../internal/errors.ts';

export type ChannelName = string | symbol;
export type Subscriber = (message: unknown, name: ChannelName) => void;

interface Store {
  run(value: unknown, callback: () => unknown): unknown;
}

/** Throws an error of a listener later, so that it ends the process and not the published operation. */
function throwLater(error: unknown): void {
  process.nextTick(() => {
    throw error;
  });
}

export class Channel {
  readonly name: ChannelName;
  _subscribers: Subscriber[] | undefined = undefined;
  readonly _stores = new Map<Store, ((message: unknown) => unknown) | undefined>();

  constructor(name: ChannelName) {
    this.name = name;
  }

  get hasSubscribers(): boolean {
    return (this._subscribers?.length ?? 0) > 0 || this._stores.size > 0;
  }

  subscribe(subscriber: unknown): void {
    needFunction(subscriber, 'subscription');
    this._subscribers = [...(this._subscribers ?? []), subscriber as Subscriber];
  }

  unsubscribe(subscriber: unknown): boolean {
    const at = this._subscribers?.indexOf(subscriber as Subscriber) ?? -1;
    if (at < 0) return false;
    this._subscribers = this._subscribers?.toSpliced(at, 1);
    return true;
  }

  bindStore(store: Store, transform?: (message: unknown) => unknown): void {
    this._stores.set(store, transform);
  }

  unbindStore(store: Store): boolean {
    return this._stores.delete(store);
  }

  publish(message: unknown): void {
    for (const subscriber of this._subscribers ?? []) {
      try {
        subscriber(message, this.name);
      } catch (error) {
        throwLater(error);
      }
    }
  }

  runStores(
    message: unknown,
    callback: (...args: unknown[]) => unknown,
    self?: unknown,
    ...args: unknown[]
  ): unknown {
    let run = () => {
      this.publish(message);
      return Reflect.apply(callback, self, args);
    };
    for (const [store, transform] of this._stores) {
      const next = run;
      run = () => {
        let value = message;
        try {
          if (transform) value = transform(message);
        } catch (error) {
          throwLater(error);
          return next();
        }
        return store.run(value, next);
      };
    }
    return run();
  }
}
