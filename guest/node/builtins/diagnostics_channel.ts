import type { MakeBuiltin } from './builtin.ts';
import { argTypeError, needFunction } from './internal/errors.ts';

type Name = string | symbol;
type Subscriber = (message: unknown, name: Name) => void;

interface Store {
  run(value: unknown, callback: () => unknown): unknown;
}

export const makeDiagnosticsChannel: MakeBuiltin = ({ process }) => {
  const channels = new Map<Name, Channel>();

  /** Throws an error of a listener later, so that it ends the process and not the published operation. */
  function throwLater(error: unknown): void {
    process.nextTick(() => {
      throw error;
    });
  }

  class Channel {
    readonly name: Name;
    _subscribers: Subscriber[] | undefined = undefined;
    readonly _stores = new Map<Store, ((message: unknown) => unknown) | undefined>();

    constructor(name: Name) {
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

  function channel(name: unknown): Channel {
    if (typeof name !== 'string' && typeof name !== 'symbol')
      throw argTypeError('channel', ['string', 'symbol'], name);
    let found = channels.get(name);
    if (!found) channels.set(name, (found = new Channel(name)));
    return found;
  }

  const events = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;
  type Handlers = Partial<Record<(typeof events)[number], Subscriber>>;
  type Context = Record<string, unknown>;
  type Traced = (this: unknown, ...args: unknown[]) => unknown;

  class TracingChannel {
    readonly start: Channel;
    readonly end: Channel;
    readonly asyncStart: Channel;
    readonly asyncEnd: Channel;
    readonly error: Channel;

    constructor(given: unknown) {
      const part = (event: string) =>
        typeof given === 'string'
          ? channel(`tracing:${given}:${event}`)
          : (Reflect.get(Object(given) as object, event) as Channel);
      this.start = part('start');
      this.end = part('end');
      this.asyncStart = part('asyncStart');
      this.asyncEnd = part('asyncEnd');
      this.error = part('error');
    }

    get hasSubscribers(): boolean {
      return events.some((event) => this[event].hasSubscribers);
    }

    subscribe(handlers: Handlers): void {
      for (const event of events) if (handlers[event]) this[event].subscribe(handlers[event]);
    }

    unsubscribe(handlers: Handlers): boolean {
      return events.every((event) => !handlers[event] || this[event].unsubscribe(handlers[event]));
    }

    traceSync(run: Traced, context: Context = {}, self?: unknown, ...args: unknown[]): unknown {
      if (!this.hasSubscribers) return Reflect.apply(run, self, args);
      return traced(this, context, () => (context.result = Reflect.apply(run, self, args)));
    }

    tracePromise(run: Traced, context: Context = {}, self?: unknown, ...args: unknown[]): unknown {
      if (!this.hasSubscribers) return Reflect.apply(run, self, args);
      const ended = () => {
        this.asyncStart.publish(context);
        this.asyncEnd.publish(context);
      };
      return traced(this, context, () =>
        Promise.resolve(Reflect.apply(run, self, args)).then(
          (result) => {
            context.result = result;
            ended();
            return result;
          },
          (error: unknown) => {
            failed(this, context, error);
            ended();
            throw error;
          },
        ),
      );
    }

    traceCallback(
      run: Traced,
      position = -1,
      context: Context = {},
      self?: unknown,
      ...args: unknown[]
    ): unknown {
      if (!this.hasSubscribers) return Reflect.apply(run, self, args);
      const callback = args.at(position);
      needFunction(callback, 'callback');
      const { asyncStart, asyncEnd } = this;
      const fail = (error: unknown) => failed(this, context, error);
      const wrapped: Traced = function (error, result) {
        if (error) fail(error);
        else context.result = result;
        return asyncStart.runStores(context, () => {
          try {
            return Reflect.apply(callback, this, [error, result]);
          } finally {
            asyncEnd.publish(context);
          }
        });
      };
      args.splice(position < 0 ? args.length + position : position, 1, wrapped);
      return traced(this, context, () => Reflect.apply(run, self, args));
    }
  }

  function failed(tracing: TracingChannel, context: Context, error: unknown): void {
    context.error = error;
    tracing.error.publish(context);
  }

  /** Runs a function between `start` and `end`, and publishes what it throws. */
  function traced(tracing: TracingChannel, context: Context, run: () => unknown): unknown {
    return tracing.start.runStores(context, () => {
      try {
        return run();
      } catch (error) {
        failed(tracing, context, error);
        throw error;
      } finally {
        tracing.end.publish(context);
      }
    });
  }

  return {
    channel,
    hasSubscribers: (name: Name) => channels.get(name)?.hasSubscribers ?? false,
    subscribe: (name: Name, subscriber: unknown) => channel(name).subscribe(subscriber),
    unsubscribe: (name: Name, subscriber: unknown) => channel(name).unsubscribe(subscriber),
    tracingChannel: (given: unknown) => new TracingChannel(given),
    Channel,
  };
};
