import type { Hash } from '../../base/hash.ts';
import type { ModelMessage } from '../../models/types.ts';
import type { RenderedMessages } from '../request/types.ts';
import { sentWords } from '../inspect/request.ts';
import type { Edit, PausedAction } from '../stepping/stepper.ts';
import type { SessionState } from '../log/state.ts';
import { namesOf } from './names.ts';
import { firstPrompt, type Playback, type StepPosition } from './playback.ts';
import type { RecordedStep } from './steps.ts';

type Content = (hash: Hash) => Uint8Array | undefined;

/**
 * Undoes a lasting edit of a message, or of an agent's system prompt, in a session of the run. Never rejects.
 */
export type TakeBack = (
  sessionID: string,
  what: { readonly messageID: string } | { readonly agent: string },
) => Promise<void>;

/** Repeats the edits of a recording while it is run again, each at its own place. */
export class RecordedEdits {
  readonly #playback: Playback;
  readonly #content: Content;
  readonly #takeBack: TakeBack;
  readonly #stateOf: (sessionID: string) => SessionState | undefined;
  /** The recorded step that each step of the run plays, keyed by message. */
  readonly #places = new Map<string, StepPosition>();

  /** `stateOf` gives the state of a session of the run, if it is open. */
  constructor(
    playback: Playback,
    content: Content,
    takeBack: TakeBack,
    stateOf: (sessionID: string) => SessionState | undefined,
  ) {
    this.#playback = playback;
    this.#content = content;
    this.#takeBack = takeBack;
    this.#stateOf = stateOf;
  }

  /** The recorded step that each step of the run plays, keyed by message. */
  get places(): ReadonlyMap<string, StepPosition> {
    return this.#places;
  }

  /** The edit that the recording has at this point; never rejects. */
  async at(sessionID: string, held: PausedAction): Promise<Edit | undefined> {
    if (held.point === 'request') {
      const place = this.#playback.next(sessionID, firstPrompt(held.content.messages));
      if (!place) return undefined;
      this.#places.set(held.messageID, place);
      return this.#request(sessionID, held, place);
    }
    if (held.point === 'response') {
      await this.#takeBackAfter(sessionID, held.messageID);
      return undefined;
    }
    const call = this.#step(this.#places.get(held.messageID))?.calls.find(
      ({ callID }) => callID === held.callID,
    );
    for (const edit of call?.edits ?? []) {
      if (held.point === 'result' && edit.kind === 'output') return { kind: 'output', output: edit.to };
      if (held.point === 'call' && edit.kind === 'input')
        return typeof edit.to === 'string'
          ? { kind: 'raw', text: edit.to }
          : { kind: 'input', input: edit.to };
      if (held.point === 'call' && edit.kind === 'answer')
        return {
          kind: 'answer',
          output: call?.output ?? '',
          outcome: call?.outcome === 'failed' ? 'failed' : 'ok',
        };
    }
    return undefined;
  }

  #step(place: StepPosition | undefined): RecordedStep | undefined {
    return place && this.#playback.steps[place.session]?.[place.step];
  }

  /** Repeats the undoing of lasting edits that followed this step, before the next request is made. */
  async #takeBackAfter(sessionID: string, messageID: string): Promise<void> {
    const place = this.#places.get(messageID);
    for (const what of this.#step(place)?.takenBack ?? []) {
      const here = 'agent' in what ? what : this.#here(sessionID, place, what.messageID);
      if (here) await this.#takeBack(sessionID, here);
    }
  }

  /** The message of the run that corresponds to this one of the recording. */
  #here(
    sessionID: string,
    place: StepPosition | undefined,
    recordedID: string,
  ): { readonly messageID: string } | undefined {
    const state = this.#stateOf(sessionID);
    if (!place || !state) return undefined;
    for (const [messageID, { session, step }] of this.#places)
      if (session === place.session && this.#playback.steps[session]?.[step]?.messageID === recordedID)
        return { messageID };
    const name = this.#playback.nameOf(place.session, recordedID);
    for (const [messageID, each] of namesOf(state)) if (each === name) return { messageID };
    return undefined;
  }

  async #request(
    sessionID: string,
    { rendered }: Extract<PausedAction, { point: 'request' }>,
    place: StepPosition,
  ): Promise<Edit | undefined> {
    const edited = this.#step(place)?.edited;
    if (!edited) return undefined;
    try {
      const { system, messages } = await sentWords(
        '',
        () => edited.request,
        async (hash) => this.#text(hash),
      );
      const lasting = edited.retold.flatMap((retold): RenderedMessages[] => {
        const text = this.#text(retold.told);
        const here = this.#here(sessionID, place, retold.messageID);
        // A message that is not in this request gets no lasting edit either.
        return text !== undefined && rendered.some(({ messageID }) => messageID === here?.messageID)
          ? [{ messageID: here?.messageID ?? '', rendered: JSON.parse(text) as ModelMessage[] }]
          : [];
      });
      return {
        kind: 'request',
        content: { system, messages },
        ...(lasting.length > 0 && { lasting }),
        ...(edited.systemLasts && { systemLasts: true }),
      };
    } catch {
      // The link had no room for the contents of this edit.
      return undefined;
    }
  }

  #text(hash: Hash): string | undefined {
    const bytes = this.#content(hash);
    return bytes && new TextDecoder().decode(bytes);
  }
}
