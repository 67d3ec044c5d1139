import type { Hash } from '../../base/hash.ts';
import type { ModelMessage } from '../../models/types.ts';
import type { Told } from '../messages.ts';
import { sentWords } from '../inspect/request.ts';
import type { Edit, Held } from '../stepping/stepper.ts';
import type { SessionState } from '../state.ts';
import { namesOf } from './names.ts';
import { firstPrompt, type Playback, type StepPlace } from './playback.ts';
import type { RecordedStep } from './steps.ts';

type Content = (hash: Hash) => Uint8Array | undefined;

/** Has told as it is again, in a session of the run: a message, or the system prompt of an agent. Never rejects. */
export type TakeBack = (
  sessionID: string,
  what: { readonly messageID: string } | { readonly agent: string },
) => Promise<void>;

/** What a person edited in a recording, made again where it is run: each edit at its own place. */
export class RecordedEdits {
  readonly #playback: Playback;
  readonly #content: Content;
  readonly #takeBack: TakeBack;
  readonly #stateOf: (sessionID: string) => SessionState | undefined;
  /** By the message that is a step of the run. */
  readonly #places = new Map<string, StepPlace>();

  /** `stateOf`: of a session of the run, where it is open. */
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

  /** Which recorded steps the steps of the run are, by their messages. */
  get places(): ReadonlyMap<string, StepPlace> {
    return this.#places;
  }

  /** What stood there in the recording; never rejects. */
  async at(sessionID: string, held: Held): Promise<Edit | undefined> {
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
      if (held.point === 'call' && edit.kind === 'input') return { kind: 'input', input: edit.to };
      if (held.point === 'call' && edit.kind === 'answer')
        return {
          kind: 'answer',
          output: call?.output ?? '',
          outcome: call?.outcome === 'failed' ? 'failed' : 'ok',
        };
    }
    return undefined;
  }

  #step(place: StepPlace | undefined): RecordedStep | undefined {
    return place && this.#playback.steps[place.session]?.[place.step];
  }

  /** The next request is not put together yet. */
  async #takeBackAfter(sessionID: string, messageID: string): Promise<void> {
    const place = this.#places.get(messageID);
    for (const what of this.#step(place)?.takenBack ?? []) {
      const here = 'agent' in what ? what : this.#here(sessionID, place, what.messageID);
      if (here) await this.#takeBack(sessionID, here);
    }
  }

  /** The message of the run that plays this one of the same session of the recording. */
  #here(
    sessionID: string,
    place: StepPlace | undefined,
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
    { told }: Extract<Held, { point: 'request' }>,
    place: StepPlace,
  ): Promise<Edit | undefined> {
    const edited = this.#step(place)?.edited;
    if (!edited) return undefined;
    try {
      const { system, messages } = await sentWords(
        '',
        () => edited.request,
        async (hash) => this.#text(hash),
      );
      const lasting = edited.retold.flatMap((retold): Told[] => {
        const text = this.#text(retold.told);
        const here = this.#here(sessionID, place, retold.messageID);
        // What is told in none of its messages is told nothing else from here on either.
        return text !== undefined && told.some(({ messageID }) => messageID === here?.messageID)
          ? [{ messageID: here?.messageID ?? '', made: JSON.parse(text) as ModelMessage[] }]
          : [];
      });
      return {
        kind: 'request',
        content: { system, messages },
        ...(lasting.length > 0 && { lasting }),
        ...(edited.systemLasts && { systemLasts: true }),
      };
    } catch {
      // Too long for a link, it went without them.
      return undefined;
    }
  }

  #text(hash: Hash): string | undefined {
    const bytes = this.#content(hash);
    return bytes && new TextDecoder().decode(bytes);
  }
}
