import type { Event } from './events.ts';
import { promptsOfSnapshots } from './newest-prompt.ts';
import { messageRecord, sessionRecord } from './records.ts';
import type { SessionState } from './state.ts';
import type { MessageRecord, SessionRecord } from './store.ts';

/**
 * Message records are renewed when a turn ends, when a step ends at least EVENTS_PER_PROJECTION events after
 * the last renewal, and in a step that goes on for too long. So opening never folds many events, and no step
 * pays for all of it.
 */
const EVENTS_PER_PROJECTION = 200;
const MOST_EVENTS_PER_PROJECTION = 1_000;

/** The records that go into one commit. */
export interface ProjectedRecords {
  readonly session: SessionRecord;
  readonly messages: readonly MessageRecord[];
  /** The ids of the messages that are renewed with it. */
  readonly changed: ReadonlySet<string>;
}

/**
 * Decides when the stored records of a session and its messages are renewed from its events. This is not done with every
 * batch of events: otherwise a message would be rewritten with every frame that it streams.
 */
export class Projection {
  readonly #state: SessionState;
  readonly #changed = new Set<string>();
  #record: SessionRecord;
  #isDue: boolean;

  /** `record` is the session's record as stored; `state` holds everything that is stored. */
  constructor(state: SessionState, record: SessionRecord) {
    this.#state = state;
    this.#record = record;
    if (record.foldedTo < state.nextSeq)
      for (const message of state.messages.values()) this.#changed.add(message.id);
    // A stored record that cannot be used is renewed now, because other readers need it.
    this.#isDue = record.foldedTo === 0 && state.nextSeq > 0;
  }

  /** Whether the records are to be renewed as soon as they can be. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** Whether they can be renewed now. Waiting requests exist in the events only, so the records must not be ahead of them. */
  get isReady(): boolean {
    return this.#isDue && this.#state.pending.size === 0 && this.#state.questions.size === 0;
  }

  /** Takes note of an event that was folded into the state. */
  shown(event: Event): void {
    if ('messageID' in event) this.#changed.add(event.messageID);
    if (event.type.startsWith('snapshot.'))
      for (const { id } of promptsOfSnapshots(this.#state)) this.#changed.add(id);
    const behind = this.#state.nextSeq - this.#record.foldedTo;
    const most = event.type === 'step.ended' ? EVENTS_PER_PROJECTION : MOST_EVENTS_PER_PROJECTION;
    if (endsSomething(event) || behind >= most) this.#isDue = true;
  }

  /** Makes a renewal due unless the records are as new as the event before this `seq`. */
  finish(seq: number): void {
    this.#isDue = this.#record.foldedTo < seq;
  }

  /** Returns the records for a commit of events before this `seq`, which they must not be ahead of either. */
  next(seq: number): ProjectedRecords {
    if (!this.isReady || seq < this.#state.nextSeq)
      return { session: this.#withSafeFields(), messages: [], changed: new Set() };
    this.#isDue = false;
    const changed = new Set(this.#changed);
    this.#changed.clear();
    const messages = [...changed].flatMap((id) => {
      const message = this.#state.messages.get(id);
      return message ? [messageRecord(this.#state, message)] : [];
    });
    const session = { ...sessionRecord(this.#state), deleted: this.#record.deleted };
    return { session, messages, changed };
  }

  /** The commit was written. */
  stored(record: SessionRecord): void {
    this.#record = record;
  }

  /** The commit was not written, so its records are due again. */
  notStored({ changed }: Pick<ProjectedRecords, 'changed'>): void {
    for (const id of changed) this.#changed.add(id);
    if (changed.size > 0) this.#isDue = true;
  }

  /** Refreshes the fields that may be folded a second time without harm, because lists show them. */
  #withSafeFields(): SessionRecord {
    const { title, keep, updated, workspaceID, created } = this.#state;
    const state = { ...this.#record.state, title, keep, updated, workspaceID, created };
    return { ...this.#record, state };
  }
}

function endsSomething(event: Event): boolean {
  switch (event.type) {
    case 'session.created':
    case 'session.titled':
    case 'session.kept':
    case 'rules.granted':
    case 'mode.set':
    case 'prompt.accepted':
    case 'turn.ended':
    case 'output.dropped':
    case 'context.compacted':
    case 'outputs.pruned':
    case 'aside.ended':
    case 'restore.ended':
      return true;
    case 'snapshot.taken':
      // Snapshots after a call are too frequent.
      return event.reason !== 'call-end';
    default:
      return false;
  }
}
