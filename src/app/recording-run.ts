import { Listeners, type Unlisten } from '../base/listeners.ts';
import { primaryAgents } from '../agents/agents.ts';
import { differences, type CallDifference } from '../session/recording/differences.ts';
import type { Playback } from '../session/recording/playback.ts';
import { callsOf, isPersons, type RecordedCall, type RecordedStep } from '../session/recording/steps.ts';
import type { Event, ModelRef } from '../session/events.ts';
import type { Session } from '../session/session.ts';
import type { RecordingRun } from '../ui/app.ts';

/** A recording that is run for real: its prompts are sent again, its model answers as it did, everything else happens. */
export class RecordingRunOfApp implements RecordingRun {
  readonly sessionID: string;
  readonly #session: Session;
  readonly #playback: Playback;
  readonly #model: ModelRef;
  readonly #changed = new Listeners<void>();
  readonly #unlisten: Unlisten;
  /** Which step of the recording a message is. */
  readonly #stepOf = new Map<string, number>();
  readonly #recorded: readonly RecordedStep[];
  #speed = 1;
  #over = false;

  constructor(session: Session, playback: Playback, model: ModelRef) {
    this.sessionID = session.id;
    this.#session = session;
    this.#playback = playback;
    this.#model = model;
    this.#recorded = playback.turns.flatMap(({ steps }) => steps);
    playback.begin(session.id);
    this.#unlisten = session.onEvents((events) => this.#take(events));
  }

  get speed(): number {
    return this.#speed;
  }

  setSpeed(speed: number): void {
    this.#speed = speed;
    this.#changed.emit();
  }

  /** All prompts were sent again, or it was stopped. */
  get over(): boolean {
    return this.#over;
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  differences(): readonly CallDifference[] {
    const { messages, parts } = this.#session.state;
    const real = new Map<number, readonly RecordedCall[]>();
    for (const [messageID, step] of this.#stepOf) {
      const calls = callsOf(messageID, messages.get(messageID)?.partKeys ?? [], (key) => {
        const part = parts.get(key);
        return part?.type === 'tool' ? part : undefined;
      });
      real.set(step, calls);
    }
    return differences(this.#recorded, real, this.#over);
  }

  /** Sends the prompts one after another; ends where a turn does not end by itself. Never rejects. */
  async run(): Promise<void> {
    try {
      for (const [index, turn] of this.#playback.turns.entries()) {
        if (turn.joined || !isPersons(turn)) continue;
        this.#playback.goToTurn(index);
        await this.#send(index);
        const status = await this.#session.rested();
        if (status === 'aborted' || status === 'rejected') break;
      }
    } catch {
      // The session says what is wrong with it; what was not made is listed as that.
    }
    this.#over = true;
    this.#unlisten();
    this.#changed.emit();
  }

  async #send(turn: number): Promise<void> {
    const prompt = this.#playback.turns[turn]?.prompt;
    if (!prompt) return;
    const known = primaryAgents.some(({ name }) => name === prompt.agent);
    await this.#session.prompt(prompt.text, {
      model: this.#model,
      ...(known && { agent: prompt.agent }),
    });
  }

  #take(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type !== 'step.started' || event.purpose || event.model.provider !== this.#model.provider)
        continue;
      const step = this.#playback.next;
      this.#stepOf.set(event.messageID, step);
      this.#sendJoined(step);
    }
    if (events.some(({ type }) => type === 'call.ended' || type === 'call.running')) this.#changed.emit();
  }

  /** What the person said while this step ran is said while it runs again. */
  #sendJoined(step: number): void {
    let begun = 0;
    let first = 0;
    for (const [index, turn] of this.#playback.turns.entries()) {
      if (!turn.joined) first = begun;
      // Where no step had begun yet, it is said with the first.
      const during = Math.max(first, begun - 1);
      if (turn.joined && isPersons(turn) && during === step) void this.#send(index).catch(() => undefined);
      begun += turn.steps.length;
    }
  }
}
