import { tokensOf } from './context-size.ts';
import type { MessageSource } from './messages.ts';
import type { Message, ToolPart } from './state.ts';

/** The newest outputs that a model goes on seeing, estimated tokens. */
const PROTECTED = 40_000;
/** Less than this is not worth it: whatever is taken out makes the provider read the rest anew. Estimated tokens. */
const LEAST_GAIN = 20_000;
/** What a skill said are instructions, not news. */
const KEPT_TOOLS: ReadonlySet<string> = new Set(['skill']);
/** Shorter outputs stay: the note in their place would be as long. Characters. */
const SHORT = 200;

export const PRUNED_NOTE =
  '[This output was taken out to make room. Make the call again if you still need what it said.]';

export interface Pruning {
  /** Outputs of messages whose `seq` is smaller are no longer sent. */
  readonly before: number;
  readonly calls: number;
  /** Estimated. */
  readonly tokens: number;
}

/** Whether the output of this call goes once its message is old enough. */
export function isPrunable({ tool, parent, outcome, output, attachments }: ToolPart): boolean {
  // What another call made is in the output of that one.
  if (outcome === undefined || parent !== undefined || KEPT_TOOLS.has(tool)) return false;
  return (output ?? '').length > SHORT || (attachments ?? []).length > 0;
}

/**
 * What may be taken out of `path` (the messages as they are sent, oldest first): outputs behind the newest `turns`
 * turns and the newest 40,000 tokens of outputs before those; nothing where that gains too little.
 */
export function pruningOf(
  path: readonly Message[],
  source: MessageSource,
  turns: number,
): Pruning | undefined {
  const done = source.prunedBefore ?? 0;
  let prompts = 0;
  let kept = 0;
  let found: { before: number; calls: number; tokens: number } | undefined;
  for (const message of path.toReversed()) {
    if (message.purpose === 'compaction' || message.seq < done) break;
    if (prompts < turns) {
      if (message.role === 'user') prompts++;
      continue;
    }
    for (const key of message.partKeys) {
      const part = source.part(key);
      if (part?.type !== 'tool' || !isPrunable(part)) continue;
      const tokens = tokensOf(part.output ?? '');
      if (kept < PROTECTED && !found) kept += tokens;
      else {
        found ??= { before: message.seq + 1, calls: 0, tokens: 0 };
        found.calls++;
        found.tokens += tokens;
      }
    }
  }
  return found && found.tokens >= LEAST_GAIN ? found : undefined;
}
