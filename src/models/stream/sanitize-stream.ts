import { isObject, type Json } from '../../base/json.ts';
import { parseJson } from '../error-bodies.ts';
import { wantsStream, type Fetch } from '../fetch.ts';
import type { Protocol } from '../providers/ids.ts';
import { eventsIn } from './lines.ts';
import { EVENTS } from './wires.ts';

/** How many characters of an event are quoted in a note about it. */
const MAX_QUOTE_LENGTH = 500;

/** Called once per stream for each kind of thing that was dropped. */
export type OnSkipped = (note: Json) => void;

/**
 * Removes from a stream what would make the SDK reject the whole answer: unknown kinds of events, and fields beside the
 * answer's content that have an unexpected form. Also accepts lines that end in CR alone.
 */
export function sanitizeStreams(send: Fetch, protocol: Protocol, onSkipped: OnSkipped): Fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const url = new URL(input instanceof Request ? input.url : input);
    if (!response.ok || !response.body || !wantsStream(init, url)) return response;
    const body = response.body
      .pipeThrough<string>(new TextDecoderStream())
      .pipeThrough(eventsIn((data) => parseJson(data) !== undefined))
      .pipeThrough(sanitizedEvents(protocol, onSkipped))
      .pipeThrough(new TextEncoderStream());
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

function sanitizedEvents(protocol: Protocol, onSkipped: OnSkipped): TransformStream<string, string> {
  const repair = EVENTS[protocol];
  const noted = new Set<string>();
  return new TransformStream({
    transform(data, controller) {
      const event = parseJson(data);
      const type = isObject(event) && typeof event.type === 'string' ? event.type : '';
      const note = (where: string) => {
        const what = [type, where].filter(Boolean).join(': ');
        if (!noted.has(what)) onSkipped({ what, event: data.slice(0, MAX_QUOTE_LENGTH) });
        noted.add(what);
      };
      // Data that is not JSON is passed on, so that the SDK reports it: a piece of the answer may be lost.
      const sanitized = event === undefined ? event : repair(event, note);
      if (event !== undefined && sanitized === undefined) return note('');
      const text = sanitized === event ? data : JSON.stringify(sanitized);
      controller.enqueue(`data: ${text.replaceAll('\n', '\ndata: ')}\n\n`);
    },
  });
}
