import type { EventOf, EventType } from './events.ts';
import type { SessionState } from './state.ts';

/** For each type of event, the function that applies it to the state, in place. */
export type Folds<T extends EventType = EventType> = {
  readonly [K in T]: (state: SessionState, event: EventOf<K>) => void;
};

/** The types of events that begin with one of these words, such as `session` in `session.titled`. */
export type TypesAbout<Subject extends string> = Extract<EventType, `${Subject}.${string}`>;
