import { growingFold } from '../../base/growing-fold.ts';
import type { Hash } from '../../base/hash.ts';
import type { ModelMessage } from '../../models/types.ts';
import { BLOB_PREFIX } from './messages.ts';

type ReadBlob = (hash: Hash) => Promise<Uint8Array<ArrayBuffer> | undefined>;

/** Adds the bytes of their files to messages. A file that is gone becomes a line of text that says so. */
export async function withFiles(
  messages: readonly ModelMessage[],
  read: ReadBlob,
): Promise<readonly ModelMessage[]> {
  const withoutBytes = messagesWithFiles(messages);
  // A promise for each message and step would be noticeable in long sessions, and few messages have files.
  if (withoutBytes.size === 0) return messages;
  return Promise.all(
    messages.map((message) => (withoutBytes.has(message) ? withMessageFiles(message, read) : message)),
  );
}

const messagesWithFiles = growingFold<ModelMessage, Set<ModelMessage>>(
  () => new Set(),
  (found, message) => (hasFiles(message) ? found.add(message) : found),
);

function hasFiles({ role, content }: ModelMessage): boolean {
  if (typeof content === 'string') return false;
  if (role !== 'tool') return content.some(({ type }) => type === 'file');
  return content.some((part) => part.type === 'tool-result' && part.output.type === 'content');
}

async function withMessageFiles(message: ModelMessage, read: ReadBlob): Promise<ModelMessage> {
  switch (message.role) {
    case 'system':
      return message;
    case 'user':
      if (typeof message.content === 'string') return message;
      return { ...message, content: await Promise.all(message.content.map((part) => withBytes(part, read))) };
    case 'assistant':
      if (typeof message.content === 'string') return message;
      return { ...message, content: await Promise.all(message.content.map((part) => withBytes(part, read))) };
    case 'tool':
      return {
        ...message,
        content: await Promise.all(
          message.content.map(async (part) => {
            if (part.type !== 'tool-result' || part.output.type !== 'content') return part;
            const value = await Promise.all(part.output.value.map((piece) => withBytes(piece, read)));
            return { ...part, output: { ...part.output, value } };
          }),
        ),
      };
  }
}

type Piece = { type: string };
interface TextPiece {
  type: 'text';
  text: string;
}

async function withBytes<T extends Piece>(part: T, read: ReadBlob): Promise<T | TextPiece> {
  if (part.type !== 'file' || !('data' in part)) return part;
  const { data } = part;
  const tagged = isTagged(data);
  const reference = tagged ? data.data : data;
  if (typeof reference !== 'string' || !reference.startsWith(BLOB_PREFIX)) return part;
  const bytes = await read(reference.slice(BLOB_PREFIX.length));
  if (!bytes) return { type: 'text', text: '[A file that was here is no longer stored.]' };
  return { ...part, data: tagged ? { type: 'data', data: bytes } : bytes };
}

function isTagged(data: unknown): data is { type: 'data'; data: unknown } {
  return (
    typeof data === 'object' && data !== null && 'type' in data && data.type === 'data' && 'data' in data
  );
}
