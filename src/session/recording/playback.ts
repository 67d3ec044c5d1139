import type { ModelMessage } from '../../models/types.ts';
import type { Recording } from './recording.ts';
import { emptyState, reduce } from '../log/reduce.ts';
import { namesOf } from './names.ts';
import { turnsOf, type RecordedParts, type RecordedStep, type RecordedTurn } from './steps.ts';

/** A session of the recording that is played again, step by step. */
interface Conversation {
  /** The index in the recording; 0 is the session that was recorded. */
  readonly index: number;
  readonly turns: readonly RecordedTurn[];
  /** The steps of all turns, in order. */
  readonly steps: readonly RecordedStep[];
  readonly summaries: readonly RecordedParts[];
  next: number;
  nextSummary: number;
}

/** A recorded step: the index of its session, and its own index among the steps of that session. */
export interface StepPosition {
  readonly session: number;
  readonly step: number;
}

/**
 * Finds the recorded answer for each request. Every session goes through its own steps in order. The recorded
 * session is told which prompt comes; sub-agents' sessions are recognised by their first prompt.
 */
export class Playback {
  readonly turns: readonly RecordedTurn[];
  /** The steps of each session of the recording. */
  readonly steps: readonly (readonly RecordedStep[])[];
  readonly #sessions: Recording['sessions'];
  readonly #own: Conversation;
  readonly #free: Conversation[];
  readonly #known = new Map<string, Conversation>();

  constructor({ sessions }: Recording) {
    const [own, ...others] = sessions;
    this.#sessions = sessions;
    this.#own = conversation(turnsOf(own), 0);
    this.#free = others.map((session, index) => conversation(turnsOf(session), index + 1));
    this.turns = this.#own.turns;
    this.steps = [this.#own, ...this.#free].map(({ steps }) => steps);
  }

  /** Makes the session with this id play the one that was recorded. */
  begin(sessionID: string): void {
    this.#known.set(sessionID, this.#own);
  }

  /** Moves on to the turn with this index. */
  goToTurn(index: number): void {
    const before = this.turns.slice(0, index);
    this.#own.next = before.reduce((sum, { steps }) => sum + steps.length, 0);
    this.#own.nextSummary = before.reduce((sum, { summaries }) => sum + summaries.length, 0);
  }

  /** The next step in this session; `undefined` if the recording has no such session. */
  next(sessionID: string, firstPrompt: string): StepPosition | undefined {
    const found = this.#known.get(sessionID) ?? this.#claim(sessionID, firstPrompt);
    return found && { session: found.index, step: found.next };
  }

  /** The next answer in this session; `undefined` if the recording has none. */
  take(sessionID: string, firstPrompt: string): RecordedStep | undefined {
    const found = this.#known.get(sessionID) ?? this.#claim(sessionID, firstPrompt);
    return found?.steps[found.next++];
  }

  /** The next summary in this session; `undefined` if the recording has none. */
  takeSummary(sessionID: string): RecordedParts | undefined {
    const found = this.#known.get(sessionID);
    return found?.summaries[found.nextSummary++];
  }

  /** The name by which a prompt or summary of the recording can be found again in a run. */
  nameOf(session: number, messageID: string): string | undefined {
    const recorded = this.#sessions[session];
    return recorded && namesOf(reduce(recorded.events, emptyState(''))).get(messageID);
  }

  #claim(sessionID: string, firstPrompt: string): Conversation | undefined {
    const index = this.#free.findIndex(({ turns }) => turns[0]?.prompt.text === firstPrompt);
    const [found] = index < 0 ? [] : this.#free.splice(index, 1);
    if (found) this.#known.set(sessionID, found);
    return found;
  }
}

function conversation(turns: readonly RecordedTurn[], index: number): Conversation {
  return {
    index,
    turns,
    steps: turns.flatMap(({ steps }) => steps),
    summaries: turns.flatMap(({ summaries }) => summaries),
    next: 0,
    nextSummary: 0,
  };
}

/** The first prompt of a request, by which a sub-agent's session is recognised. */
export function firstPrompt(messages: readonly ModelMessage[]): string {
  const first = messages.find(({ role }) => role === 'user');
  if (first?.role !== 'user') return '';
  if (typeof first.content === 'string') return first.content;
  return first.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
}
