import { faultOf, type Fault } from '../../../base/fault.ts';
import { MASK } from '../../../base/secrets.ts';
import { LONGEST_LINK, packText } from '../../../session/recording/link.ts';
import {
  countsOf,
  withParts,
  type RecordingCounts,
  type ShareChoice,
} from '../../../session/recording/parts.ts';
import { linkVersions, recordingText } from '../../../session/recording/record.ts';
import type { Recording } from '../../../session/recording/recording.ts';

/** The names of what a link leaves out, in the order of `linkVersions`: each version is shorter than the one before. */
const LEFT_OUT = ['', 'between', 'later', 'edits', 'prompts'] as const;
export type LeftOut = Exclude<(typeof LEFT_OUT)[number], ''>;

/** A recording with the chosen parts, as it would be shared. */
export interface Shared {
  readonly recording: Recording;
  /** The file's text, and its length in bytes. */
  readonly text: string;
  readonly size: number;
  /** How often a secret was replaced in the text. */
  readonly secrets: number;
  /** `null` if it would be too long. */
  readonly link: { readonly address: string; readonly leftOut: LeftOut | null } | null;
}

/** Prepares a recording for sharing, anew with each choice of the person. */
export class ShareState {
  readonly #whole: () => Promise<Recording>;
  readonly #page: string;
  #choice = $state.raw<ShareChoice>({
    files: true,
    outputs: true,
    pictures: true,
    requests: true,
    preview: true,
  });
  #counts = $state.raw<RecordingCounts | null>(null);
  #shared = $state.raw<Shared | null>(null);
  #fault = $state.raw<Fault | null>(null);
  #recording: Recording | undefined;
  #turn = 0;

  /** `page` is the address of the app, without search and hash. */
  constructor(whole: () => Promise<Recording>, page: string) {
    this.#whole = whole;
    this.#page = page;
  }

  get choice(): ShareChoice {
    return this.#choice;
  }

  /** Counts of what the whole recording holds; `null` until it is read. */
  get counts(): RecordingCounts | null {
    return this.#counts;
  }

  /** `null` while it is prepared. */
  get shared(): Shared | null {
    return this.#shared;
  }

  get fault(): Fault | null {
    return this.#fault;
  }

  choose(choice: Partial<ShareChoice>): Promise<void> {
    this.#choice = { ...this.#choice, ...choice };
    return this.prepare();
  }

  /** A later call makes an earlier one's result void. */
  async prepare(): Promise<void> {
    const turn = ++this.#turn;
    this.#shared = null;
    this.#fault = null;
    try {
      this.#recording ??= await this.#whole();
      this.#counts ??= countsOf(this.#recording);
      const shared = await sharedOf(await withParts(this.#recording, this.#choice), this.#page);
      if (turn === this.#turn) this.#shared = shared;
    } catch (error) {
      if (turn === this.#turn) this.#fault = faultOf(error);
    }
  }
}

async function sharedOf(recording: Recording, page: string): Promise<Shared> {
  const text = await recordingText(recording);
  return {
    recording,
    text,
    size: new TextEncoder().encode(text).length,
    secrets: text.split(MASK).length - 1,
    link: await linkOf(recording, page),
  };
}

async function linkOf(recording: Recording, page: string): Promise<Shared['link']> {
  for (const [index, linked] of (await linkVersions(recording)).entries()) {
    const address = `${page}#recording=${await packText(await recordingText(linked))}`;
    if (address.length <= LONGEST_LINK) return { address, leftOut: LEFT_OUT[index] || null };
  }
  return null;
}
