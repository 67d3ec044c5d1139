import { FaultError } from '../../base/fault.ts';
import type { Hash } from '../../base/hash.ts';
import type { ModelMessage } from '../../models/types.ts';
import type { MessagePack, RequestRef } from '../log/events.ts';
import type { ToolSpec } from '../request/model.ts';
import type { RequestContent } from '../request/types.ts';

export type ReadText = (hash: Hash) => Promise<string | undefined>;

/**
 * Rebuilds the request of a step from the log, as the loop made it: the messages that each step of its chain
 * added, and its system prompt, tools and settings. `requestOf` gives the reference of a step. Files stay
 * references. Rejects with a fault if a piece is no longer stored.
 */
export async function rebuildRequest(
  messageID: string,
  requestOf: (messageID: string) => RequestRef | undefined,
  read: ReadText,
): Promise<RequestContent> {
  const request = requestOf(messageID);
  if (!request) throw missing(messageID);
  const [words, tools] = await Promise.all([
    sentWords(messageID, requestOf, read),
    textOf(request.tools, read),
  ]);
  return { ...words, tools: JSON.parse(tools) as readonly ToolSpec[], settings: request.settings };
}

/** Only the system prompt and the messages of the same request, since the tools may be gone. */
export async function sentWords(
  messageID: string,
  requestOf: (messageID: string) => RequestRef | undefined,
  read: ReadText,
): Promise<Pick<RequestContent, 'system' | 'messages'>> {
  const request = requestOf(messageID);
  if (!request) throw missing(messageID);
  const [system, ...messages] = await Promise.all([
    textOf(request.system, read),
    ...packsOf(messageID, requestOf).map((pack) => messagesOf(pack, (hash) => textOf(hash, read))),
  ]);
  return { system, messages: messages.flat() };
}

async function textOf(hash: Hash, read: ReadText): Promise<string> {
  const text = await read(hash);
  if (text === undefined) throw missing(hash);
  return text;
}

/** How many messages of a step's request were already in the previous step's request. */
export function sharedMessages(
  messageID: string,
  requestOf: (messageID: string) => RequestRef | undefined,
): number {
  const base = requestOf(messageID)?.base ?? null;
  return base === null ? 0 : packsOf(base, requestOf).reduce((sum, pack) => sum + countOf(pack), 0);
}

function packsOf(
  messageID: string,
  requestOf: (messageID: string) => RequestRef | undefined,
): readonly MessagePack[] {
  const pieces: (readonly MessagePack[])[] = [];
  for (let id: string | null = messageID; id !== null;) {
    const request: RequestRef | undefined = requestOf(id);
    if (!request) throw missing(id);
    pieces.push(request.append);
    id = request.base;
  }
  return pieces.reverse().flat();
}

async function messagesOf(
  pack: MessagePack,
  text: (hash: Hash) => Promise<string>,
): Promise<readonly ModelMessage[]> {
  if (typeof pack === 'string') return [JSON.parse(await text(pack)) as ModelMessage];
  return JSON.parse(pack.text ?? (await text(pack.hash))) as readonly ModelMessage[];
}

function countOf(pack: MessagePack): number {
  return typeof pack === 'string' ? 1 : pack.messages;
}

function missing(where: string): FaultError {
  return new FaultError({
    code: 'request-incomplete',
    what: 'A piece of this request is no longer kept on this device.',
    where,
  });
}
