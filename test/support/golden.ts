import type { Event, MessagePack } from '../../src/session/log/events.ts';
import type { StreamPart } from '../../src/session/log/parts.ts';

/**
 * Events as lines for golden comparison: batches joined (deltas of one kind and id in a row are one), no envelope,
 * hashes only counted. Throws where `seq` has a gap or time runs backwards.
 */
export function golden(events: readonly Event[]): string[] {
  events.forEach((event, index) => {
    const before = events[index - 1];
    if (before && (event.seq !== before.seq + 1 || event.time < before.time))
      throw new Error(`Event ${event.seq} (${event.type}) does not follow ${before.seq}.`);
  });
  return joined(events).map(line);
}

function joined(events: readonly Event[]): Event[] {
  const result: Event[] = [];
  for (const event of events) {
    const last = result.at(-1);
    const part =
      last?.type === 'step.part' && event.type === 'step.part' && last.messageID === event.messageID
        ? joinParts(last.part, event.part)
        : undefined;
    if (part && last?.type === 'step.part') result[result.length - 1] = { ...last, part };
    else result.push(event);
  }
  return result;
}

function joinParts(a: StreamPart, b: StreamPart): StreamPart | undefined {
  if (a.type === 'text-delta' && b.type === 'text-delta' && a.id === b.id)
    return { ...a, text: a.text + b.text };
  if (a.type === 'reasoning-delta' && b.type === 'reasoning-delta' && a.id === b.id)
    return { ...a, text: a.text + b.text };
  if (a.type === 'tool-input-delta' && b.type === 'tool-input-delta' && a.callID === b.callID)
    return { ...a, delta: a.delta + b.delta };
  return undefined;
}

function line({ v: _v, sessionID: _s, seq: _q, time: _t, ...event }: Event): string {
  switch (event.type) {
    case 'step.part': {
      const { type, ...rest } = event.part;
      return `${event.messageID} · ${type} ${JSON.stringify(rest)}`;
    }
    case 'step.started': {
      const { type, request, model: _model, agent: _agent, ...rest } = event;
      const { base, append } = request;
      return `${type} ${JSON.stringify({ ...rest, base, appended: messagesIn(append) })}`;
    }
    case 'step.sent':
      return `${event.type} ${event.messageID}`;
    case 'call.ended': {
      const { type, metadata, attachments, ...rest } = event;
      const more = {
        ...(Object.keys(metadata).length > 0 && { metadata }),
        ...(attachments.length > 0 && { attachments: attachments.length }),
      };
      return `${type} ${JSON.stringify({ ...rest, ...more })}`;
    }
    default: {
      const { type, ...rest } = event;
      return `${type} ${JSON.stringify(rest)}`;
    }
  }
}

function messagesIn(packs: readonly MessagePack[]): number {
  return packs.reduce((sum, pack) => sum + (typeof pack === 'string' ? 1 : pack.messages), 0);
}
