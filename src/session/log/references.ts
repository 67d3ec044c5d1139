import type { Hash } from '../../base/hash.ts';
import type { Event, MessagePack } from './events.ts';

/** The blobs that an event names. Its session needs them for as long as it keeps the event. */
export function blobsNamedBy(event: Event): readonly Hash[] {
  switch (event.type) {
    case 'snapshot.taken':
      return [event.manifest];
    case 'restore.began':
      return event.files === undefined ? [] : [event.files];
    case 'step.started':
    case 'request.edited':
      return [...event.request.append.flatMap(blobOf), event.request.system, event.request.tools];
    case 'message.retold':
    case 'system.retold':
      return event.told === null ? [] : [event.told];
    case 'step.part':
      return event.part.type === 'file' ? [event.part.blob] : [];
    case 'call.output':
      return event.blob === undefined ? [] : [event.blob];
    case 'call.ended':
      return [
        ...event.attachments.map(({ blob }) => blob),
        ...(event.fullOutput ? [event.fullOutput.blob] : []),
      ];
    default:
      return [];
  }
}

function blobOf(pack: MessagePack): readonly Hash[] {
  if (typeof pack === 'string') return [pack];
  return pack.text === undefined ? [pack.hash] : [];
}
