import { tokensOf } from './context-size.ts';
import type { MessageSource } from './types.ts';
import type { Message, ToolPart } from '../log/state.ts';

/** How many tokens of the newest outputs a model continues to see. The count is an estimate. */
const PROTECTED = 40_000;
/** Pruning fewer estimated tokens is not worthwhile, because the provider has to read the rest again. */
const LEAST_GAIN = 20_000;
/** The output of a skill is instructions, not news. */
const KEPT_TOOLS: ReadonlySet<string> = new Set(['skill']);
/** Shorter outputs stay, since the note in their place would be as long. In characters. */
const SHORT = 200;

export const PRUNED_NOTE =
  '[This output was removed to save space. Make the call again if you still need what it said.]';

export interface Pruning {
  /** Models no longer see the outputs of messages with a smaller `seq`. */
  readonly before: number;
  readonly calls: number;
  /** Estimated tokens of those outputs. */
  readonly tokens: number;
}

/** Whether the output of this call is pruned once its message is old enough. */
export function isPrunable({ tool, parent, outcome, output, attachments }: ToolPart): boolean {
  // The output of a nested call is part of its parent's output.
  if (outcome === undefined || parent !== undefined || KEPT_TOOLS.has(tool)) return false;
  return (output ?? '').length > SHORT || (attachments ?? []).length > 0;
}

/**
 * The outputs that may be pruned from `path` (the messages as they are sent, oldest first). The newest
 * `turns` turns keep theirs, and so do the newest 40,000 tokens of outputs before those. `undefined` if that
 * gains too little.
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
