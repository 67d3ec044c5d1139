import { browserFrames, type Frames } from '../base/frames.ts';
import { Past } from '../session/inspect/past.ts';
import type { SessionState } from '../session/log/state.ts';
import { countAt, paceOf } from '../session/recording/pace.ts';
import type { RecordedSession } from '../session/recording/recording.ts';

/** Plays the log of a recorded session: at each moment there is the state that its events until then fold to. */
export class Playback {
  /** The length at speed 1, in milliseconds. */
  readonly duration: number;
  speed = 1;
  /** Called after each change of the moment, and of whether it plays. */
  onChange: () => void = () => {};
  readonly #past: Past;
  readonly #moments: readonly number[];
  readonly #frames: Frames;
  #moment = 0;
  #frame: number | null = null;
  #last = 0;

  constructor({ id, events }: RecordedSession, frames: Frames = browserFrames) {
    this.#past = new Past(id, events);
    this.#moments = paceOf(events);
    this.#frames = frames;
    this.duration = this.#moments.at(-1) ?? 0;
  }

  get moment(): number {
    return this.#moment;
  }
  get playing(): boolean {
    return this.#frame !== null;
  }
  get atEnd(): boolean {
    return this.#moment >= this.duration;
  }

  /** The state at the moment. A later call may change it in place. */
  state(): SessionState {
    return this.#past.at(countAt(this.#moments, this.#moment));
  }

  /** Starts over where it is at its end. */
  play(): void {
    if (this.playing) return;
    if (this.atEnd) this.#moment = 0;
    this.#last = 0;
    this.#next();
    this.onChange();
  }

  pause(): void {
    if (this.#frame === null) return;
    this.#frames.cancel(this.#frame);
    this.#frame = null;
    this.onChange();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Moves to a moment, in milliseconds at speed 1. */
  seek(moment: number): void {
    this.#moment = Math.max(0, Math.min(moment, this.duration));
    if (this.atEnd) this.pause();
    this.onChange();
  }

  #next(): void {
    this.#frame = this.#frames.request((now) => {
      const passed = this.#last === 0 ? 0 : now - this.#last;
      this.#last = now;
      this.#next();
      this.seek(this.#moment + passed * this.speed);
    });
  }
}
