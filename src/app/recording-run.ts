import type { Hash } from '../base/hash.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import { differences, type CallDifference } from '../session/recording/differences.ts';
import type { Playback } from '../session/recording/playback.ts';
import { RecordedEdits, type TakeBack } from '../session/recording/edits.ts';
import { callsOf, isPersons, type RecordedCall, type RecordedTurn } from '../session/recording/steps.ts';
import type { Event, ModelRef } from '../session/log/events.ts';
import type { Session } from '../session/session.ts';
import type { Stepper } from '../session/stepping/stepper.ts';
import type { RecordingRun } from '../ui/app.ts';

export interface RunDeps {
  content(hash: Hash): Uint8Array | undefined;
  /** The stepper of the session that runs. */
  stepper(): Promise<Stepper>;
  /** Returns a session that is open here. */
  session(id: string): Pick<Session, 'state' | 'onEvents' | 'tellAsItIs' | 'tellOwnSystem'> | undefined;
  /** Whether the person can talk to an agent of this name there. */
  knows(agent: string): boolean;
}

/**
 * Runs a recording live: sends its prompts again, lets its model answer as it did, and repeats the recorded edits;
 * everything else really happens.
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
  /** The sub-agents' sessions, which may be closed already. */
  readonly #children = new Map<string, Pick<Session, 'state'>>();
  #speed = 1;
  #paused = false;
  #over = false;

  constructor(session: Session, playback: Playback, model: ModelRef, deps: RunDeps) {
    this.sessionID = session.id;
    this.#deps = deps;
    const takeBack: TakeBack = async (sessionID, what) => {
      const found = deps.session(sessionID);
      // A closed session has nothing left to undo.
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

  /** Resolves when the run is not paused, or when `signal` is aborted. */
  untilResumed(signal?: AbortSignal): Promise<void> {
    if (!this.#paused || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const check = () => {
        if (this.#paused && !signal?.aborted) return;
        unlisten();
        signal?.removeEventListener('abort', check);
        resolve();
      };
      const unlisten = this.#changed.add(check);
      signal?.addEventListener('abort', check);
    });
  }

  /** Whether all prompts were sent again, or the run was stopped. */
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

  /** Sends the prompts one after another; stops if a turn does not end by itself. Never rejects. */
  async run(): Promise<void> {
    const stepper = await this.#deps.stepper();
    stepper.setEditor((sessionID, held) => this.#edits.at(sessionID, held));
    try {
      for (const [index, turn] of this.#playback.turns.entries()) {
        if (turn.joined || !isPersons(turn)) continue;
        await this.untilResumed();
        this.#playback.goToTurn(index);
        if (turn.summedUp.includes(0)) await this.#sumUp();
        await this.#send(index);
        const status = await this.#session.rested();
        if (status === 'aborted' || status === 'rejected') break;
        for (const { summedUp } of this.#until(index))
          for (const when of summedUp) if (when === null) await this.#sumUp();
      }
    } catch {
      // The session reports its own problem; missing calls show up as differences.
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
    await this.untilResumed();
    this.#session.compact(this.#model);
    await this.#session.rested();
  }

  /** This turn, and the turns without a person's prompt that follow it. */
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
    this.#notify(events);
  }

  /** Compares the calls of a sub-agent and of its own sub-agents too. */
  #follow(childID: string): void {
    const child = this.#deps.session(childID);
    if (!child || this.#children.has(childID)) return;
    this.#children.set(childID, child);
    this.#unlisten.push(
      child.onEvents((events) => {
        for (const event of events) if (event.type === 'task.started') this.#follow(event.childID);
        this.#notify(events);
      }),
    );
  }

  #notify(events: readonly Event[]): void {
    if (events.some(({ type }) => type === 'call.ended' || type === 'call.running')) this.#changed.emit();
  }

  /**
   * Sends the messages that the person sent during this step, and compacts where the recorded session did before the
   * next step.
   */
  #atStep(step: number): void {
    let begun = 0;
    let first = 0;
    for (const [index, turn] of this.#playback.turns.entries()) {
      if (!turn.joined) first = begun;
      // A message before the first step is sent with the first step.
      const during = Math.max(first, begun - 1);
      if (turn.joined && isPersons(turn) && during === step) void this.#send(index).catch(() => undefined);
      for (const after of turn.summedUp)
        if (after !== null && after > 0 && begun + after - 1 === step) this.#session.compact(this.#model);
      begun += turn.steps.length;
    }
  }
}
