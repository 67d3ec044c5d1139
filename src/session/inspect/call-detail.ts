import type { Hash } from '../../base/hash.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Event, EventOf } from '../log/events.ts';

/** A value with the time when it arrived, in milliseconds since the epoch. */
export interface Timed<T> {
  readonly time: number;
  readonly seq: number;
  readonly value: T;
}

/** The log's data about one call, in order. */
export interface CallDetail {
  /** The arguments as they were typed, piece by piece. */
  readonly typed: readonly Timed<string>[];
  /** The complete arguments as the model gave them. */
  readonly said?: Json;
  /** The arguments as the tool got them: checked, with schema defaults; absent if it never ran. */
  readonly parsed?: Json;
  readonly invalid?: { readonly reason: string; readonly message: string };
  /** The titles and metadata that the call reported while it ran. */
  readonly progress: readonly Timed<JsonObject>[];
  /** The live output in order. If there is a `blob`, it has all of this piece, and `text` is only its end. */
  readonly printed: readonly { readonly text: string; readonly blob?: Hash }[];
  /** The one result of the call; its `output` is what the model sees. */
  readonly result?: EventOf<'call.ended'>;
  /** The full output is past its time. */
  readonly dropped: boolean;
}

/** `events` are those about the call, in order. */
export function callDetailOf(events: readonly Event[]): CallDetail {
  const typed: Timed<string>[] = [];
  const progress: Timed<JsonObject>[] = [];
  const printed: { text: string; blob?: Hash }[] = [];
  let known: Partial<Pick<CallDetail, 'said' | 'parsed' | 'invalid' | 'result'>> = {};
  let dropped = false;
  for (const event of events) {
    const { time, seq } = event;
    switch (event.type) {
      case 'step.part': {
        const { part } = event;
        if (part.type === 'tool-input-delta') typed.push({ time, seq, value: part.delta });
        if (part.type === 'tool-call')
          known = { ...known, said: part.input, ...(part.invalid && { invalid: part.invalid }) };
        break;
      }
      case 'call.added':
        known = { ...known, said: event.input };
        break;
      case 'call.running':
        known = { ...known, parsed: event.input };
        break;
      case 'call.progress': {
        const value = { ...(event.title !== undefined && { title: event.title }), ...event.metadata };
        progress.push({ time, seq, value });
        break;
      }
      case 'call.output': {
        const { text = '', blob } = event;
        printed.push({ text, ...(blob !== undefined && { blob }) });
        break;
      }
      case 'call.ended':
        known = { ...known, result: event };
        break;
      case 'output.dropped':
        dropped = true;
        break;
      default:
        break;
    }
  }
  return { typed, progress, printed, dropped, ...known };
}
