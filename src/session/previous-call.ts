import type { JsonObject } from '../base/json.ts';
import { headPath, type MessageSource } from './messages.ts';

/** The metadata of the newest call of `tool` that ended well, on the path to `head`. */
export function previousCall(
  source: MessageSource,
  head: string | null,
  tool: string,
): JsonObject | undefined {
  for (const message of headPath(source, head).reverse()) {
    for (const key of message.partKeys.toReversed()) {
      const part = source.part(key);
      if (part?.type === 'tool' && part.tool === tool && part.outcome === 'ok') return part.metadata;
    }
  }
  return undefined;
}
