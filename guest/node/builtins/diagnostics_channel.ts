import type { MakeBuiltin } from './builtin.ts';
import { Channel, type ChannelName } from './diagnostics/channel.ts';
import { TracingChannel, type TracingEvent } from './diagnostics/tracing-channel.ts';
import { argTypeError } from './internal/errors.ts';

export const makeDiagnosticsChannel: MakeBuiltin = () => {
  const channels = new Map<ChannelName, Channel>();

  function channel(name: unknown): Channel {
    if (typeof name !== 'string' && typeof name !== 'symbol')
      throw argTypeError('channel', ['string', 'symbol'], name);
    let found = channels.get(name);
    if (!found) channels.set(name, (found = new Channel(name)));
    return found;
  }

  /** Takes the name of a tracing channel, or its five channels. */
  function tracingChannel(given: unknown): TracingChannel {
    if (typeof given !== 'string') return new TracingChannel(Object(given) as Record<TracingEvent, Channel>);
    const part = (event: TracingEvent) => channel(`tracing:${given}:${event}`);
    return new TracingChannel({
      start: part('start'),
      end: part('end'),
      asyncStart: part('asyncStart'),
      asyncEnd: part('asyncEnd'),
      error: part('error'),
    });
  }

  return {
    channel,
    hasSubscribers: (name: ChannelName) => channels.get(name)?.hasSubscribers ?? false,
    subscribe: (name: ChannelName, subscriber: unknown) => channel(name).subscribe(subscriber),
    unsubscribe: (name: ChannelName, subscriber: unknown) => channel(name).unsubscribe(subscriber),
    tracingChannel,
    Channel,
  };
};
