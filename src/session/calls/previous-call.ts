import type { JsonObject } from '../../base/json.ts';
import { headPath } from '../request/messages.ts';
import type { MessageSource } from '../request/types.ts';

/** The metadata of the newest successful call of `tool` on the path to `head`. */
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
