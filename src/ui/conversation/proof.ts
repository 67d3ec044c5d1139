import type { MessageView } from '../state/message-view.svelte.ts';
import { outputOf } from './tools/describe.ts';
import { testRunIn } from './tools/test-run.ts';

/**
 * The id of the last call since the person's last message, if it ran tests and all of them passed; else
 * `null`.
 */
export function proofIn(messages: readonly MessageView[]): string | null {
  for (const { message, parts } of messages.toReversed()) {
    if (message.role === 'user') return null;
    const last = parts.findLast(({ part }) => part.type === 'tool')?.part;
    if (last?.type !== 'tool') continue;
    const run = last.tool === 'bash' && last.outcome === 'ok' ? testRunIn(outputOf(last).text) : null;
    return run?.failed === 0 ? last.callID : null;
  }
  return null;
}
