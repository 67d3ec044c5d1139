import { FaultError, faultOf, type Fault } from '../../../base/fault.ts';
import { packWithin } from '../../../base/packed.ts';
import { MASK } from '../../../base/secrets.ts';
import { Slices } from '../../../base/slices.ts';
import { LONGEST_LINK } from '../../../session/recording/link.ts';
import {
  countsOf,
  withParts,
  type RecordingCounts,
  type ShareChoice,
} from '../../../session/recording/parts.ts';
import { missingFrom } from '../../../session/recording/missing.ts';
import { linkVersions, written } from '../../../session/recording/record.ts';
import {
  MAX_TO_CHOOSE_FROM_BYTES,
  SHARED_PARTS,
  type MissingFile,
  type Recording,
} from '../../../session/recording/recording.ts';

/** The names of what a link leaves out, in the order of `linkVersions`: each version is shorter than the one before. */
const LEFT_OUT = ['', 'between', 'later', 'edits', 'prompts'] as const;
export type LeftOut = Exclude<(typeof LEFT_OUT)[number], ''>;

/** The stages, in this order: the session is read, the file is written, and the link is made. */
export const STAGES = ['reading', 'writing', 'linking'] as const;
export type Stage = (typeof STAGES)[number];

export interface SharedLink {
  readonly address: string;
  readonly leftOut: LeftOut | null;
  /** Files of which no version is in it. */
  readonly missing: readonly MissingFile[];
}

/** A recording with the chosen parts, as it would be shared. */
export interface Shared {
  readonly recording: Recording;
  /** The file's text, and its length in bytes. */
  readonly text: string;
  readonly size: number;
  /** How often a secret was replaced in the text. */
  readonly secrets: number;
}

const ALL: ShareChoice = { files: true, outputs: true, pictures: true, requests: true, preview: true };

/** Prepares a recording for sharing, anew with each choice of the person. */
export class ShareState {
  readonly #whole: (most?: number) => Promise<Recording>;
  readonly #page: string;
  #choice = $state.raw<ShareChoice>(ALL);
  #counts = $state.raw<RecordingCounts | null>(null);
  #largest = $state.raw<readonly MissingFile[]>([]);
  #shared = $state.raw<Shared | null>(null);
  #link = $state.raw<SharedLink | null | undefined>();
  #stage = $state.raw<Stage | null>(null);
  #fault = $state.raw<Fault | null>(null);
  #recording: Recording | undefined;
  #turn = 0;

  /**
   * `whole` reads the recording, with up to `most` bytes of files and outputs if that is given; `page` is the address of the
   * app, without search and hash; `choice` is what the person chose before, if they come back.
   */
  constructor(whole: (most?: number) => Promise<Recording>, page: string, choice: ShareChoice = ALL) {
    this.#whole = whole;
    this.#page = page;
    this.#choice = choice;
  }

  get choice(): ShareChoice {
    return this.#choice;
  }

  /** Counts of what the whole recording holds; `null` until it is read. */
  get counts(): RecordingCounts | null {
    return this.#counts;
  }

  /** The files of the whole recording, the largest first. */
  get largest(): readonly MissingFile[] {
    return this.#largest;
  }

  /** `null` while it is prepared. */
  get shared(): Shared | null {
    return this.#shared;
  }

  /** `null` if it would be too long; `undefined` while it is made. */
  get link(): SharedLink | null | undefined {
    return this.#link;
  }

  /** `null` if nothing is being prepared. */
  get stage(): Stage | null {
    return this.#stage;
  }

  get fault(): Fault | null {
    return this.#fault;
  }

  /** Whether there is something that the person can still leave out. */
  get canLeaveOut(): boolean {
    const parts = this.#counts?.parts;
    return parts !== undefined && SHARED_PARTS.some((part) => parts[part] > 0 && this.#choice[part]);
  }

  choose(choice: Partial<ShareChoice>): Promise<void> {
    this.#choice = { ...this.#choice, ...choice };
    return this.prepare();
  }

  /** A later call makes an earlier one's result void. */
  async prepare(): Promise<void> {
    const turn = ++this.#turn;
    const isCurrent = () => turn === this.#turn;
    this.#shared = null;
    this.#link = undefined;
    this.#fault = null;
    const slices = new Slices();
    try {
      this.#stage = 'reading';
      const whole = (this.#recording ??= await this.#read());
      this.#counts ??= countsOf(whole);
      this.#largest =
        missingFrom([whole.files ?? [], ...whole.laterFiles.map(({ entries }) => entries)]) ?? [];
      if (!isCurrent()) return;
      this.#stage = 'writing';
      await slices.next();
      const shared = await sharedOf(await withParts(whole, this.#choice));
      if (!isCurrent()) return;
      this.#shared = shared;
      this.#stage = 'linking';
      const link = await linkOf(shared.recording, this.#page, slices, isCurrent);
      if (!isCurrent()) return;
      this.#link = link;
      this.#stage = null;
    } catch (error) {
      if (!isCurrent()) return;
      this.#fault = faultOf(error);
      this.#stage = null;
    }
  }

  /** A session that is too much for a file is read nevertheless, so that the person can leave something out. */
  async #read(): Promise<Recording> {
    try {
      return await this.#whole();
    } catch (error) {
      if (!(error instanceof FaultError) || error.fault.code !== 'recording-too-big') throw error;
      return this.#whole(MAX_TO_CHOOSE_FROM_BYTES);
    }
  }
}

async function sharedOf(chosen: Recording): Promise<Shared> {
  const { recording, text } = await written(chosen);
  return {
    recording,
    text,
    size: new TextEncoder().encode(text).length,
    secrets: text.split(MASK).length - 1,
  };
}

async function linkOf(
  recording: Recording,
  page: string,
  slices: Slices,
  isWanted: () => boolean,
): Promise<SharedLink | null> {
  const start = `${page}#recording=`;
  for (const [index, linked] of (await linkVersions(recording)).entries()) {
    await slices.next();
    if (!isWanted()) return null;
    const { recording: shorter, text } = await written(linked);
    const packed = await packWithin(text, LONGEST_LINK - start.length);
    if (packed === null) continue;
    const { missingFiles: missing = [] } = shorter;
    return { address: start + packed, leftOut: LEFT_OUT[index] || null, missing };
  }
  return null;
}
