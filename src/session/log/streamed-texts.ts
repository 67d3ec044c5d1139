import type { Event } from './events.ts';

/**
 * Applies `clean` to texts that came in pieces: a secret may be split over several pieces, none of which
 * reveals it alone. Matches within single pieces are left to the caller.
 */
export function cleanStreams(events: readonly Event[], clean: (text: string) => string): readonly Event[] {
  const streams = new Map<string, number[]>();
  for (const [index, event] of events.entries()) {
    const stream = streamOf(event);
    if (stream === undefined) continue;
    const indexes = streams.get(stream);
    if (indexes) indexes.push(index);
    else streams.set(stream, [index]);
  }
  const cleaned = [...events];
  for (const indexes of streams.values()) {
    const pieces = indexes.map((index) => pieceOf(events[index]));
    const text = clean(pieces.join(''));
    if (text === pieces.join('') || text === pieces.map(clean).join('')) continue;
    for (const [nth, piece] of cut(pieces, text).entries()) {
      const index = indexes[nth] ?? 0;
      const event = cleaned[index];
      if (event && piece !== pieces[nth]) cleaned[index] = withPiece(event, piece);
    }
  }
  return cleaned;
}

/**
 * Cuts `text` into as many pieces as there were. Pieces that are the same at both ends stay; the changed text
 * between them goes into the first of the others.
 */
function cut(pieces: readonly string[], text: string): readonly string[] {
  const whole = pieces.join('');
  const most = Math.min(whole.length, text.length);
  let front = 0;
  while (front < most && whole[front] === text[front]) front++;
  let back = 0;
  while (back < most - front && whole.at(-1 - back) === text.at(-1 - back)) back++;
  let from = 0;
  let before = 0;
  const others = pieces.flatMap((piece, index) => {
    const at = from;
    from += piece.length;
    const same = from <= front || at >= whole.length - back;
    if (same && from <= front) before = from;
    return same ? [] : index;
  });
  // The pieces that change are adjacent.
  const [first = 0] = others;
  const last = others.at(-1) ?? -1;
  const after = pieces.slice(last + 1).join('').length;
  const between = text.slice(before, text.length - after);
  return pieces.map((piece, index) =>
    index < first || index > last ? piece : index === first ? between : '',
  );
}

function streamOf(event: Event): string | undefined {
  if (event.type === 'call.output') return `${event.messageID}/output/${event.callID}`;
  if (event.type !== 'step.part') return undefined;
  const { part, messageID } = event;
  if (part.type === 'text-delta' || part.type === 'reasoning-delta')
    return `${messageID}/${part.type}/${part.id}`;
  return part.type === 'tool-input-delta' ? `${messageID}/${part.type}/${part.callID}` : undefined;
}

function pieceOf(event: Event | undefined): string {
  if (event?.type === 'call.output') return event.text ?? '';
  if (event?.type !== 'step.part') return '';
  const { part } = event;
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.text;
  return part.type === 'tool-input-delta' ? part.delta : '';
}

function withPiece(event: Event, text: string): Event {
  if (event.type === 'call.output') return { ...event, text };
  if (event.type !== 'step.part') return event;
  const { part } = event;
  if (part.type === 'text-delta' || part.type === 'reasoning-delta')
    return { ...event, part: { ...part, text } };
  return part.type === 'tool-input-delta' ? { ...event, part: { ...part, delta: text } } : event;
}
