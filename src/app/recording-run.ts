import type { Hash } from '../base/hash.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import { differences, type CallDifference } from '../session/recording/differences.ts';
import type { Playback } from '../session/recording/playback.ts';
import { RecordedEdits, type TakeBack } from '../session/recording/edits.ts';
import { callsOf, isPersons, type RecordedCall, type RecordedTurn } from '../session/recording/steps.ts';
import type { Event, ModelRef } from '../session/events.ts';
import type { Session } from '../session/session.ts';
import type { Stepper } from '../session/stepping/stepper.ts';
import type { RecordingRun } from '../ui/app.ts';

export interface RunDeps {
  content(hash: Hash): Uint8Array | undefined;
  /** Of the session that runs. */
  stepper(): Promise<Stepper>;
  /** One that is open here. */
  session(id: string): Pick<Session, 'state' | 'onEvents' | 'tellAsItIs' | 'tellOwnSystem'> | undefined;
  /** Whether a person can talk to an agent of this name there. */
  knows(agent: string): boolean;
}

/**
 * A recording that is run for real: its prompts are sent again, its model answers as it did, and what was edited is
 * edited; everything else happens.
 */
export class RecordingRunOfApp implements RecordingRun {
  readonly sessionID: string;
  readonly #session: Session;
  readonly #playback: Playback;
  readonly #model: ModelRef;
  readonly #changed = new Listeners<void>();
  readonly #unlisten: Unlisten[];
  readonly #edits: RecordedEdits;
  readonly #deps: RunDeps;
  /** Those that work for it, which may be closed by now. */
  readonly #children = new Map<string, Pick<Session, 'state'>>();
  #speed = 1;
  #paused = false;
  #over = false;

  constructor(session: Session, playback: Playback, model: ModelRef, deps: RunDeps) {
    this.sessionID = session.id;
    this.#deps = deps;
    const takeBack: TakeBack = async (sessionID, what) => {
      const found = deps.session(sessionID);
      // Where it is closed by now, nothing of it is told any more.
      await ('agent' in what ? found?.tellOwnSystem(what.agent) : found?.tellAsItIs(what.messageID))?.catch(
        () => undefined,
      );
    };
    this.#edits = new RecordedEdits(
      playback,
      deps.content,
      takeBack,
      (sessionID) => deps.session(sessionID)?.state,
    );
    this.#session = session;
    this.#playback = playback;
    this.#model = model;
    playback.begin(session.id);
    this.#unlisten = [session.onEvents((events) => this.#take(events))];
  }

  get speed(): number {
    return this.#speed;
  }

  setSpeed(speed: number): void {
    this.#speed = speed;
    this.#changed.emit();
  }

  get paused(): boolean {
    return this.#paused;
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#changed.emit();
  }

  /** Resolves when it is not paused, or when `signal` is aborted. */
  going(signal?: AbortSignal): Promise<void> {
    if (!this.#paused || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const look = () => {
        if (this.#paused && !signal?.aborted) return;
        unlisten();
        signal?.removeEventListener('abort', look);
        resolve();
      };
      const unlisten = this.#changed.add(look);
      signal?.addEventListener('abort', look);
    });
  }

  /** All prompts were sent again, or it was stopped. */
  get over(): boolean {
    return this.#over;
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  differences(): readonly CallDifference[] {
    const real = this.#playback.steps.map(() => new Map<number, readonly RecordedCall[]>());
    for (const { state } of [this.#session, ...this.#children.values()])
      for (const [messageID, { partKeys }] of state.messages) {
        const place = this.#edits.places.get(messageID);
        const calls = callsOf(messageID, partKeys, (key) => {
          const part = state.parts.get(key);
          return part?.type === 'tool' ? part : undefined;
        });
        if (place) real[place.session]?.set(place.step, calls);
      }
    return this.#playback.steps.flatMap((steps, session) =>
      differences(session, steps, real[session] ?? new Map(), this.#over),
    );
  }

  /** Sends the prompts one after another; ends where a turn does not end by itself. Never rejects. */
  async run(): Promise<void> {
    const stepper = await this.#deps.stepper();
    stepper.setEditor((sessionID, held) => this.#edits.at(sessionID, held));
    try {
      for (const [index, turn] of this.#playback.turns.entries()) {
        if (turn.joined || !isPersons(turn)) continue;
        await this.going();
        this.#playback.goToTurn(index);
        if (turn.summedUp.includes(0)) await this.#sumUp();
        await this.#send(index);
        const status = await this.#session.rested();
        if (status === 'aborted' || status === 'rejected') break;
        for (const { summedUp } of this.#until(index))
          for (const when of summedUp) if (when === null) await this.#sumUp();
      }
    } catch {
      // The session says what is wrong with it; what was not made is listed as that.
    }
    stepper.setEditor(null);
    this.#over = true;
    for (const unlisten of this.#unlisten) unlisten();
    this.#changed.emit();
  }

  async #send(turn: number): Promise<void> {
    const prompt = this.#playback.turns[turn]?.prompt;
    if (!prompt) return;
    await this.#session.prompt(prompt.text, {
      model: this.#model,
      ...(this.#deps.knows(prompt.agent) && { agent: prompt.agent }),
    });
  }

  async #sumUp(): Promise<void> {
    await this.going();
    this.#session.compact(this.#model);
    await this.#session.rested();
  }

  /** This turn, and what was said before the person began the next one. */
  #until(index: number): readonly RecordedTurn[] {
    const { turns } = this.#playback;
    const next = turns.findIndex((turn, at) => at > index && !turn.joined && isPersons(turn));
    return turns.slice(index, next < 0 ? undefined : next);
  }

  #take(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'task.started') this.#follow(event.childID);
      if (event.type !== 'step.started' || event.purpose || event.model.provider !== this.#model.provider)
        continue;
      const place = this.#playback.next(this.sessionID, '');
      if (place) this.#atStep(place.step);
    }
    this.#tell(events);
  }

  /** Its calls are compared as well, and those of the ones that work for it. */
  #follow(childID: string): void {
    const child = this.#deps.session(childID);
    if (!child || this.#children.has(childID)) return;
    this.#children.set(childID, child);
    this.#unlisten.push(
      child.onEvents((events) => {
        for (const event of events) if (event.type === 'task.started') this.#follow(event.childID);
        this.#tell(events);
      }),
    );
  }

  #tell(events: readonly Event[]): void {
    if (events.some(({ type }) => type === 'call.ended' || type === 'call.running')) this.#changed.emit();
  }

  /** What the person said while this step ran is said while it runs again, and summed up is what was before the next. */
  #atStep(step: number): void {
    let begun = 0;
    let first = 0;
    for (const [index, turn] of this.#playback.turns.entries()) {
      if (!turn.joined) first = begun;
      // Where no step had begun yet, it is said with the first.
      const during = Math.max(first, begun - 1);
      if (turn.joined && isPersons(turn) && during === step) void this.#send(index).catch(() => undefined);
      for (const after of turn.summedUp)
        if (after !== null && after > 0 && begun + after - 1 === step) this.#session.compact(this.#model);
      begun += turn.steps.length;
    }
  }
}
