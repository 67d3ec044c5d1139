import { hashText, type Hash } from '../../base/hash.ts';
import { Slices } from '../../base/slices.ts';
import type { ModelMessage } from '../../models/types.ts';
import type { Event, EventOf, RequestRef } from '../log/events.ts';
import { Conversation } from '../request/messages.ts';
import type { MessageSource } from '../request/types.ts';
import { emptyState, fold } from '../log/reduce.ts';
import type { SessionState } from '../log/state.ts';

export type Content = (hash: Hash) => Uint8Array | undefined;

/**
 * Rebuilds from the log the messages of requests that a recording names but does not contain, keyed by the
 * hash of their text. A text with another hash is not what was sent, and is left out.
 */
export async function rebuiltPacks(
  events: readonly Event[],
  content: Content,
  slices = new Slices(),
): Promise<ReadonlyMap<Hash, string>> {
  const found = new Map<Hash, string>();
  const state = emptyState(events[0]?.sessionID ?? '');
  const conversation = new Conversation(sourceOf(state, content));
  const requests = new Map<string, RequestRef>();
  for (const event of events) {
    await slices.next();
    if (event.type === 'step.started') {
      requests.set(event.messageID, event.request);
      const isMissing = event.request.append.some((pack) => hashMissing(pack, content));
      if (isMissing && !event.purpose) rebuild(event, conversation, requests, found);
    }
    fold(state, event);
  }
  return found;
}

function rebuild(
  { parentID, model, step, request }: EventOf<'step.started'>,
  conversation: Conversation,
  requests: ReadonlyMap<string, RequestRef>,
  found: Map<Hash, string>,
): void {
  const messages: readonly ModelMessage[] = conversation.messages(parentID, model, step);
  let at = countBefore(request, requests);
  for (const pack of request.append) {
    const count = typeof pack === 'string' ? 1 : pack.messages;
    const slice = messages.slice(at, at + count);
    at += count;
    const [hash, value] = typeof pack === 'string' ? [pack, slice[0]] : [pack.hash, slice];
    const text = JSON.stringify(value) ?? '';
    if (hashText(text) === hash) found.set(hash, text);
  }
}

/** How many messages the previous steps had sent already. */
function countBefore({ base }: RequestRef, requests: ReadonlyMap<string, RequestRef>): number {
  let count = 0;
  for (let id = base; id !== null;) {
    const request = requests.get(id);
    if (!request) break;
    for (const pack of request.append) count += typeof pack === 'string' ? 1 : pack.messages;
    id = request.base;
  }
  return count;
}

function hashMissing(pack: RequestRef['append'][number], content: Content): boolean {
  if (typeof pack === 'string') return content(pack) === undefined;
  return pack.text === undefined && content(pack.hash) === undefined;
}

function sourceOf(state: SessionState, content: Content): MessageSource {
  return {
    message: (id) => state.messages.get(id),
    part: (key) => state.parts.get(key),
    get prunedBefore() {
      return state.prunedBefore;
    },
    retold(messageID) {
      const retelling = state.retold?.find((each) => each.messageID === messageID);
      const bytes = retelling && content(retelling.told);
      if (!retelling || !bytes) return undefined;
      const messages = JSON.parse(new TextDecoder().decode(bytes)) as readonly ModelMessage[];
      return { model: retelling.model, messages };
    },
  };
}
