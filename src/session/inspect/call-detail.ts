import type { Hash } from '../../base/hash.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Event, EventOf } from '../events.ts';

/** A piece that came at a time: milliseconds since the epoch. */
export interface Timed<T> {
  readonly time: number;
  readonly seq: number;
  readonly value: T;
}

/** What the log says of one call, put in order. */
export interface CallDetail {
  /** The arguments as they were typed, piece by piece. */
  readonly typed: readonly Timed<string>[];
  /** As the model said them, whole. */
  readonly said?: Json;
  /** As the tool got them: checked, with what the schema fills in; absent where it never ran. */
  readonly parsed?: Json;
  readonly invalid?: { readonly reason: string; readonly message: string };
  /** What it told of itself while it ran. */
  readonly progress: readonly Timed<JsonObject>[];
  /** What it printed while it ran, in order; `blob`: all of what `text` is only the end of. */
  readonly printed: readonly { readonly text: string; readonly blob?: Hash }[];
  /** Its one result; `output` is what the model is told. */
  readonly result?: EventOf<'call.ended'>;
  /** The full output is past its time. */
  readonly dropped: boolean;
}

/** `events`: those about the call, in order. */
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
