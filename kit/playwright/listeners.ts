import type { AgentEvent } from '../facts/agent-event.ts';
import type { Ask, Call } from '../facts/events.ts';
import { factsOf, type FactsFold } from '../facts/facts.ts';

/** The kinds of news that `agent.on()` listens to, each with the function that gets it. */
export interface AgentListeners {
  event: (event: AgentEvent) => void;
  /** A call of the agent has ended. */
  tool: (call: Call) => void;
  /** The agent has asked for a permission; answers are given by `onPermission`. */
  permission: (ask: Ask) => void;
  /** A turn has ended. */
  turn: (status: string) => void;
}

export const KINDS: ReadonlySet<string> = new Set<keyof AgentListeners>([
  'event',
  'tool',
  'permission',
  'turn',
]);

/** A listener with its kind. */
export type AnyListener = {
  [Kind in keyof AgentListeners]: { readonly kind: Kind; readonly listener: AgentListeners[Kind] };
}[keyof AgentListeners];

/** Tells a listener of an event, if it is one of its kind. `fold` has taken it. */
export function tell({ kind, listener }: AnyListener, event: AgentEvent, fold: FactsFold): void {
  switch (kind) {
    case 'event':
      return listener(event);
    case 'tool':
      if (event.type === 'call.ended' && fold.isAgents(event)) listener(fold.callOf(event));
      return;
    case 'permission': {
      const ask = event.type === 'permission.asked' ? factsOf([event]).asks[0] : undefined;
      if (ask) listener(ask);
      return;
    }
    case 'turn':
      if (event.type === 'turn.ended') listener(String(event.status));
  }
}
