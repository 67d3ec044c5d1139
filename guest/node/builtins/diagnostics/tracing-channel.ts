import { needFunction } from '../internal/errors.ts';
import type { Channel, Subscriber } from './channel.ts';

const TRACING_EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;
export type TracingEvent = (typeof TRACING_EVENTS)[number];
type Handlers = Partial<Record<TracingEvent, Subscriber>>;
type Context = Record<string, unknown>;
type Traced = (this: unknown, ...args: unknown[]) => unknown;

export class TracingChannel {
  readonly start: Channel;
  readonly end: Channel;
  readonly asyncStart: Channel;
  readonly asyncEnd: Channel;
  readonly error: Channel;

  constructor(parts: Readonly<Record<TracingEvent, Channel>>) {
    this.start = parts.start;
    this.end = parts.end;
    this.asyncStart = parts.asyncStart;
    this.asyncEnd = parts.asyncEnd;
    this.error = parts.error;
  }

  get hasSubscribers(): boolean {
    return TRACING_EVENTS.some((event) => this[event].hasSubscribers);
  }

  subscribe(handlers: Handlers): void {
    for (const event of TRACING_EVENTS) if (handlers[event]) this[event].subscribe(handlers[event]);
  }

  unsubscribe(handlers: Handlers): boolean {
    return TRACING_EVENTS.every((event) => !handlers[event] || this[event].unsubscribe(handlers[event]));
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
