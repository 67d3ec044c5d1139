import { browserFrames, type Frames } from '../../../base/frames.ts';
import type { Hash } from '../../../base/hash.ts';
import { manifestsOf } from '../../../session/recording/later-files.ts';
import { countAt, paceOf } from '../../../session/recording/pace.ts';
import type { RecordedSession, Recording } from '../../../session/recording/recording.ts';
import { noteAt } from './notes.ts';
import { RecordedSessionHandle } from './recorded-session.ts';

/** Speeds at which a recording can be played; `Infinity` shows all of it at once. */
export const SPEEDS = [0.5, 1, 2, 4, 8, Infinity] as const;
export type Speed = (typeof SPEEDS)[number];

/**
 * Plays a recorded session: it shows the recorded outputs again, runs nothing, and asks for no key and no
 * permission.
 */
export class Player {
  readonly recording: Recording;
  readonly session: RecordedSessionHandle;
  /** Length of the recording, in milliseconds at speed 1. */
  readonly duration: number;
  /** The address that the recording was fetched from. */
  readonly address: string | null;
  /** The player of the parent session, if this session belongs to a sub-agent. */
  readonly above: Player | null;
  readonly #recorded: RecordedSession;
  /** Called when the state jumps to another moment, so that the screen must read all of it again. */
  onJump: () => void = () => {};
  /** Leads back to the dialog *Share*, if the recording is a preview of what is shared there. */
  backToShare: (() => void) | null = null;
  readonly #moments: readonly number[];
  readonly #frames: Frames;
  #moment = $state(0);
  #playing = $state(false);
  #speed = $state<Speed>(1);
  #frame: number | null = null;
  #last = 0;
  /** The lists of files, created when content is first asked for. */
  #manifests: Recording['contents'] | undefined;

  /**
   * Starts at the beginning, paused. The session of a sub-agent starts at its end, so that all of it is
   * visible.
   */
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
    this.#show(below ? this.duration : 0);
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
  /** A note on the latest request, answer, pause or edit of the person; empty if there is none. */
  readonly note = $derived.by(() => noteAt(this.session.events, countAt(this.#moments, this.#moment)));

  /** Starts over if the recording is at its end. */
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

  /** Moves to a moment, in milliseconds at speed 1. */
  seek(moment: number): void {
    this.#show(Math.max(0, Math.min(moment, this.duration)));
    if (this.atEnd) this.pause();
  }

  setSpeed(speed: Speed): void {
    this.#speed = speed;
  }

  /** The session's id in the recording. */
  get recordedID(): string {
    return this.#recorded.id;
  }

  /** A player for a parent or sub-agent session in the same recording, by its recorded id. */
  of(recordedID: string): Player | undefined {
    for (let above = this.above; above; above = above.above)
      if (above.recordedID === recordedID) return above;
    const session = this.recording.sessions.find(({ id }) => id === recordedID);
    if (!session) return undefined;
    const below = new Player(this.recording, this.address, this.#frames, { session, above: this });
    below.backToShare = this.backToShare;
    return below;
  }

  content(hash: Hash): Uint8Array<ArrayBuffer> | undefined {
    this.#manifests ??= manifestsOf(this.recording);
    return this.recording.contents.get(hash) ?? this.#manifests.get(hash);
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
