import type { Hash } from '../../base/hash.ts';
import { countAt, paceOf } from '../../session/recording/pace.ts';
import type { RecordedSession, Recording } from '../../session/recording/recording.ts';
import { noteAt } from './notes.ts';
import { RecordedSessionHandle } from './recorded-session.ts';

/** How fast a recording is played; `Infinity`: all at once. */
export const SPEEDS = [0.5, 1, 2, 4, 8, Infinity] as const;
export type Speed = (typeof SPEEDS)[number];

/** Frames as a port: tests give them by hand. */
export interface Frames {
  request(run: (now: number) => void): number;
  cancel(id: number): void;
}

const browserFrames: Frames = {
  request: (run) => requestAnimationFrame(run),
  cancel: (id) => cancelAnimationFrame(id),
};

/**
 * Plays the recorded outputs of a session: what was recorded happens again on the screen and nowhere else. Asks for
 * no key and no permission, runs nothing.
 */
export class Player {
  readonly recording: Recording;
  readonly session: RecordedSessionHandle;
  /** Of the whole, milliseconds at the speed 1. */
  readonly duration: number;
  /** The address that it was fetched from. */
  readonly address: string | null;
  /** Of the session that this one works for, where it does. */
  readonly above: Player | null;
  readonly #recorded: RecordedSession;
  /** The state on the screen is of another moment now, and to be read anew. */
  onJump: () => void = () => {};
  readonly #moments: readonly number[];
  readonly #frames: Frames;
  #moment = $state(0);
  #playing = $state(false);
  #speed = $state<Speed>(1);
  #frame: number | null = null;
  #last = 0;

  /** At its end, so that all of it is seen. */
  constructor(
    recording: Recording,
    address: string | null = null,
    frames: Frames = browserFrames,
    below?: { readonly session: RecordedSession; readonly above: Player },
  ) {
    this.recording = recording;
    this.address = address;
    this.above = below?.above ?? null;
    this.#frames = frames;
    this.#recorded = below?.session ?? recording.sessions[0];
    this.session = new RecordedSessionHandle(this.#recorded);
    this.#moments = paceOf(this.session.events);
    this.duration = this.#moments.at(-1) ?? 0;
    this.#show(this.duration);
  }

  get moment(): number {
    return this.#moment;
  }
  get playing(): boolean {
    return this.#playing;
  }
  get speed(): Speed {
    return this.#speed;
  }
  get atEnd(): boolean {
    return this.#moment >= this.duration;
  }
  /** What was just asked or answered. */
  readonly note = $derived.by(() => noteAt(this.session.events, countAt(this.#moments, this.#moment)));

  /** From the beginning, where it is at its end. */
  play(): void {
    if (this.#playing) return;
    if (this.atEnd) this.#show(0);
    this.#playing = true;
    this.#last = 0;
    this.#next();
  }

  pause(): void {
    this.#playing = false;
    if (this.#frame !== null) this.#frames.cancel(this.#frame);
    this.#frame = null;
  }

  toggle(): void {
    if (this.#playing) this.pause();
    else this.play();
  }

  /** To this moment, milliseconds at the speed 1. */
  seek(moment: number): void {
    this.#show(Math.max(0, Math.min(moment, this.duration)));
    if (this.atEnd) this.pause();
  }

  setSpeed(speed: Speed): void {
    this.#speed = speed;
  }

  /** Its id in the recording. */
  get recordedID(): string {
    return this.#recorded.id;
  }

  /** A player of the session of this id, which worked for this one or for which this one works. */
  of(recordedID: string): Player | undefined {
    for (let above = this.above; above; above = above.above)
      if (above.recordedID === recordedID) return above;
    const session = this.recording.sessions.find(({ id }) => id === recordedID);
    return session && new Player(this.recording, this.address, this.#frames, { session, above: this });
  }

  content(hash: Hash): Uint8Array<ArrayBuffer> | undefined {
    return this.recording.contents.get(hash);
  }

  close(): void {
    this.pause();
  }

  #next(): void {
    this.#frame = this.#frames.request((now) => {
      const passed = this.#last === 0 ? 0 : now - this.#last;
      this.#last = now;
      this.seek(this.#speed === Infinity ? this.duration : this.#moment + passed * this.#speed);
      if (this.#playing) this.#next();
    });
  }

  #show(moment: number): void {
    this.#moment = moment;
    if (!this.session.goTo(countAt(this.#moments, moment))) this.onJump();
  }
}
