import { partKey, type SessionState } from '../log/state.ts';
import type { Call, Item, Step, Turn } from './timeline-items.ts';
import type { Timeline } from './timeline.ts';

/** `tool:NAME` selects the calls of one tool. */
export type ItemFilter = 'all' | 'steps' | 'asked' | 'failed' | 'edited' | `tool:${string}`;

/** Gives what is searched besides the items themselves. It is asked only if there is a text to look for. */
export interface Searched {
  /** Returns the whole session as it is now. */
  state(): SessionState;
  /** Returns what the preview reported during a turn. */
  reported(turn: Turn): readonly string[];
}

/** A predicate for the items that match; `null` if all do. */
export function wanted(
  query: string,
  filter: ItemFilter,
  searched: Searched,
): ((item: Item) => boolean) | null {
  const text = query.trim().toLowerCase();
  if (text === '' && filter === 'all') return null;
  const whole = text === '' ? undefined : searched.state();
  return (item) => {
    const has = (texts: readonly string[]) => texts.some((each) => each.toLowerCase().includes(text));
    if (item.kind === 'turn')
      return filter === 'all' && text !== '' && (has([item.prompt]) || has(searched.reported(item)));
    if (!fits(item, filter)) return false;
    return !whole || has(textsOf(item, whole));
  };
}

function fits(item: Step | Call, filter: ItemFilter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'steps':
      return item.kind === 'step';
    case 'asked':
      return item.kind === 'call' && item.waits.length > 0;
    case 'edited':
      return item.kind === 'step' ? item.edited === true : item.edits.length > 0;
    case 'failed':
      return item.kind === 'step'
        ? item.fault !== undefined
        : item.outcome !== undefined && (item.outcome !== 'ok' || item.failedExit !== undefined);
    default:
      return item.kind === 'call' && filter === `tool:${item.tool}`;
  }
}

function textsOf(item: Step | Call, state: SessionState): readonly string[] {
  if (item.kind === 'call') {
    const part = state.parts.get(partKey(item.messageID, 'tool', item.callID));
    if (part?.type !== 'tool') return [item.tool, item.callID];
    return [part.tool, part.callID, part.raw, part.title ?? '', part.output ?? part.live];
  }
  const { model, agent, fault, messageID } = item;
  const parts = (state.messages.get(messageID)?.partKeys ?? []).flatMap((key) => {
    const part = state.parts.get(key);
    return part?.type === 'text' || part?.type === 'reasoning' ? [part.text] : [];
  });
  return [`${model.provider}/${model.model}`, agent, fault?.what ?? '', ...parts];
}

/** The names of the tools that were called, sorted. */
export function toolsIn(timeline: Timeline): readonly string[] {
  const calls = timeline.turns.flatMap((turn) =>
    timeline.childrenOf(turn).flatMap((child) => (child.kind === 'call' ? [child] : timeline.callsOf(child))),
  );
  return [...new Set(calls.map(({ tool }) => tool))].sort();
}
