import { correctionBy, tokensOf, totalOf } from './context-size.ts';
import type { ContextSizes } from '../log/events.ts';
import { conversationOf } from '../log/path.ts';
import type { Message, Part, SessionState } from '../log/state.ts';

/** How full a model's context is, in tokens: the newest request plus everything since then. */
export interface ContextUse {
  readonly sizes: ContextSizes;
  readonly used: number;
  /** How many tokens fit, if that is known. */
  readonly limit?: number;
}

/** `null` before the first request. Lengths give an estimate, which the provider's last count corrects. */
export function contextOf(state: SessionState): ContextUse | null {
  const messages = [...conversationOf(state)].reverse();
  const at = messages.findIndex(({ request, purpose }) => request?.sizes !== undefined && !purpose);
  const step = messages[at];
  const told = step?.request?.sizes;
  if (!step || !told) return null;
  const factor = correctionBy(
    messages.find(
      ({ request, usage, finish, purpose }) =>
        request?.sizes !== undefined && !purpose && finish !== 'error' && (usage?.inputTokens ?? 0) > 0,
    ),
  );
  const since = messages.slice(0, at + 1).reverse();
  const summary = since.findLastIndex(({ compaction }) => compaction !== undefined);
  const after = since[summary]?.compaction?.after;
  const sizes =
    after === undefined
      ? { ...scaled(told, factor) }
      : { ...scaled({ ...told, messages: 0, outputs: 0, files: 0 }, factor), messages: after };
  for (const message of after === undefined ? since : since.slice(summary + 1)) {
    if (message.purpose || message.finish === 'error') continue;
    for (const part of partsOf(message, state)) {
      if (part.type === 'tool' && part.parent !== undefined) continue;
      sizes.messages += spoken(part) * factor;
      if (part.type === 'tool') sizes.outputs += tokensOf(part.output ?? '') * factor;
    }
  }
  // After a summary, pruned outputs are not subtracted: the messages that remain were measured without them.
  if (after === undefined) sizes.outputs = Math.max(0, sizes.outputs - (state.prunedTokens ?? 0) * factor);
  const { limit } = step.request;
  return { sizes, used: totalOf(sizes), ...(limit !== undefined && { limit }) };
}

function partsOf(message: Message, state: SessionState): Part[] {
  return message.partKeys.flatMap((key) => state.parts.get(key) ?? []);
}

function spoken(part: Part): number {
  if (part.type === 'file') return 0;
  return tokensOf(part.type === 'tool' ? part.raw : part.text);
}

function scaled(sizes: ContextSizes, factor: number): ContextSizes {
  return {
    system: sizes.system * factor,
    tools: sizes.tools * factor,
    messages: sizes.messages * factor,
    outputs: sizes.outputs * factor,
    files: sizes.files * factor,
  };
}
