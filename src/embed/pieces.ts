import { FaultError } from '../base/fault.ts';
import type { Event, EventOf } from '../session/log/events.ts';
import { emptyState, reduce } from '../session/log/reduce.ts';
import type { Message, SessionState, ToolPart } from '../session/log/state.ts';
import type { Recording } from '../session/recording/recording.ts';
import type { Piece } from './address.ts';

/** A step or a call of a recording, with the state at the end, in which it stands. */
export type FoundPiece = { readonly state: SessionState; readonly message: Message } & (
  | { readonly kind: 'step'; readonly number: number }
  | { readonly kind: 'call'; readonly call: ToolPart; readonly decided: readonly Decided[] }
);

/** A decision about a call: by rules, or by whoever was asked. */
export type Decided = EventOf<'permission.decided' | 'permission.answered'>;

/** Finds a piece of the recording. Calls of sub-agents are found by their id. Throws a fault where there is none. */
export function findPiece({ sessions }: Recording, piece: Piece): FoundPiece {
  const [own] = sessions;
  if (piece.kind === 'step') {
    const state = stateOf(own.events);
    const steps = [...state.messages.values()].filter(
      ({ role, purpose }) => role === 'assistant' && !purpose,
    );
    const message = steps[piece.number - 1];
    if (message) return { kind: 'step', state, message, number: piece.number };
    throw missing(`The recording has ${steps.length} steps, so there is no step ${piece.number}.`);
  }
  for (const { events } of sessions) {
    const state = stateOf(events);
    const found = callsOf(state).find(({ call }) => call.callID === piece.name);
    if (found) return pieceOf(events, state, found);
  }
  const state = stateOf(own.events);
  const calls = callsOf(state);
  const found = /^\d+$/.test(piece.name) ? calls[Number(piece.name) - 1] : undefined;
  if (found) return pieceOf(own.events, state, found);
  throw missing(`The recording has ${calls.length} calls, and none is “${piece.name.slice(0, 60)}”.`);
}

interface FoundCall {
  readonly message: Message;
  readonly call: ToolPart;
}

function pieceOf(events: readonly Event[], state: SessionState, { message, call }: FoundCall): FoundPiece {
  const decided = events.filter(
    (event): event is Decided =>
      (event.type === 'permission.decided' || event.type === 'permission.answered') &&
      event.messageID === call.messageID &&
      event.callID === call.callID,
  );
  return { kind: 'call', state, message, call, decided };
}

function callsOf(state: SessionState): readonly FoundCall[] {
  return [...state.messages.values()].flatMap((message) =>
    message.partKeys.flatMap((key) => {
      const part = state.parts.get(key);
      return part?.type === 'tool' ? [{ message, call: part }] : [];
    }),
  );
}

function stateOf(events: readonly Event[]): SessionState {
  return reduce(events, emptyState(events[0]?.sessionID ?? ''));
}

function missing(what: string): FaultError {
  return new FaultError({
    code: 'embed-piece',
    what,
    next: 'Steps and calls are counted from 1; a call can be named by its id, too.',
  });
}
