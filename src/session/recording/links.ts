import { KEPT_OUTPUTS } from '../../base/places.ts';
import { OUTPUT_ROOT } from '../../tools/tool.ts';
import type { Event } from '../log/events.ts';
import type { RecordedSession, Recording } from './recording.ts';

interface Broken {
  readonly what: string;
  readonly where: string;
}

/**
 * Finds a reference in a recording to something that is missing or comes later. Following such references
 * could loop forever, or reach another session's data. `undefined` if there is none.
 */
export function brokenTie({ sessions }: Recording): Broken | undefined {
  const known = new Set<string>();
  for (const [index, session] of sessions.entries()) {
    const broken = brokenSession(session, index, known);
    if (broken) return { ...broken, where: `sessions[${index}].${broken.where}` };
    known.add(session.id);
  }
  return undefined;
}

function brokenSession(
  { id, events }: RecordedSession,
  index: number,
  known: ReadonlySet<string>,
): Broken | undefined {
  if (known.has(id)) return { what: 'Another session has the same id.', where: 'id' };
  const messages = new Set<string>();
  const steps = new Set<string>();
  for (const [seq, event] of events.entries()) {
    const where = `events[${seq}]`;
    if ((event.type === 'session.created') !== (seq === 0))
      return { what: 'A session is created with its first event, once.', where };
    if (event.type === 'session.created' && (event.parent === undefined) !== (index === 0))
      return { what: 'The first session, and it alone, works for no other.', where };
    if (event.type === 'session.created' && event.parent && !known.has(event.parent.sessionID))
      return { what: 'The session that it works for is not there.', where };
    if (event.type === 'task.started' && (event.childID === id || known.has(event.childID)))
      return { what: 'A task is done in a session that was there before.', where };
    if (event.type === 'call.ended' && event.fullOutput && !isOutput(event.fullOutput.path))
      return { what: 'A full output is kept where none can be.', where };
    if (event.type === 'prompt.accepted' || event.type === 'step.started') {
      const { messageID, parentID } = event;
      if (messages.has(messageID)) return { what: 'A message is there twice.', where };
      if (parentID !== null && !messages.has(parentID))
        return { what: 'A message follows one that is not there.', where };
      messages.add(messageID);
    }
    if (event.type === 'step.started' || event.type === 'request.edited') {
      const { base } = event.request;
      if (base !== null && (!steps.has(base) || base === event.messageID))
        return { what: 'A request goes on from one that is not there.', where };
    }
    if (event.type === 'step.started') steps.add(event.messageID);
    if (isOfMessage(event) && !messages.has(event.messageID))
      return { what: 'It is about a message that is not there.', where };
  }
  return undefined;
}

function isOfMessage(event: Event): event is Event & { readonly messageID: string } {
  return 'messageID' in event;
}

function isOutput(path: string): boolean {
  return [OUTPUT_ROOT, KEPT_OUTPUTS].some((root) => {
    const [sessionID, name, ...rest] = path.startsWith(`${root}/`)
      ? path.slice(root.length + 1).split('/')
      : [];
    return /^ses_\w+$/.test(sessionID ?? '') && /^[\w-]+\.txt$/.test(name ?? '') && rest.length === 0;
  });
}
