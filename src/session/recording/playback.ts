import type { Recording } from './recording.ts';
import { turnsOf, type RecordedStep, type RecordedTurn } from './steps.ts';

interface Conversation {
  readonly turns: readonly RecordedTurn[];
  /** Of all turns, in order. */
  readonly steps: readonly RecordedStep[];
  next: number;
}

/**
 * Which recorded answer is asked for. Every conversation goes through its own steps one by one: the one that was
 * recorded, which is told which prompt comes, and those of its sub-agents, which are known by their first prompt.
 */
export class Playback {
  readonly turns: readonly RecordedTurn[];
  readonly #own: Conversation;
  readonly #free: Conversation[];
  readonly #known = new Map<string, Conversation>();

  constructor({ sessions: [own, ...others] }: Recording) {
    this.#own = conversation(turnsOf(own));
    this.#free = others.map((session) => conversation(turnsOf(session)));
    this.turns = this.#own.turns;
  }

  /** The session with this id plays the one that was recorded. */
  begin(sessionID: string): void {
    this.#known.set(sessionID, this.#own);
  }

  /** Its turn of this index comes now. */
  goToTurn(index: number): void {
    const before = this.turns.slice(0, index);
    this.#own.next = before.reduce((sum, { steps }) => sum + steps.length, 0);
  }

  /** Index of the step that comes next in the one that was recorded. */
  get next(): number {
    return this.#own.next;
  }

  /** The next answer in this session; `undefined` where the recording has none. */
  take(sessionID: string, firstPrompt: string): RecordedStep | undefined {
    const found = this.#known.get(sessionID) ?? this.#claim(sessionID, firstPrompt);
    return found?.steps[found.next++];
  }

  #claim(sessionID: string, firstPrompt: string): Conversation | undefined {
    const index = this.#free.findIndex(({ turns }) => turns[0]?.prompt.text === firstPrompt);
    const [found] = index < 0 ? [] : this.#free.splice(index, 1);
    if (found) this.#known.set(sessionID, found);
    return found;
  }
}

function conversation(turns: readonly RecordedTurn[]): Conversation {
  return { turns, steps: turns.flatMap(({ steps }) => steps), next: 0 };
}
