import type { SessionHandle } from '../../app.ts';
import { PromptQueue, type QueueStore } from './prompt-queue.svelte.ts';

const queues = new WeakMap<SessionHandle, PromptQueue>();

/** The only queue of this session, created on first use. */
export function queueOf(
  session: SessionHandle,
  store: QueueStore,
  failed: (error: unknown) => void,
  sent: (typed: string) => void,
): PromptQueue {
  const known = queues.get(session);
  if (known) return known;
  const made = new PromptQueue(session, store, failed, sent);
  queues.set(session, made);
  return made;
}
