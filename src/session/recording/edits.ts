import type { Hash } from '../../base/hash.ts';
import type { ModelMessage } from '../../models/types.ts';
import type { Told } from '../messages.ts';
import { rebuildRequest } from '../inspect/request.ts';
import type { Edit, Held } from '../stepping/stepper.ts';
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
  /** By the session of the run: the messages of its newest request. */
  readonly #told = new Map<string, readonly Told[]>();
  /** By the message that is a step of the run. */
  readonly #places = new Map<string, StepPlace>();

  constructor(playback: Playback, content: Content, takeBack: TakeBack) {
    this.#playback = playback;
    this.#content = content;
    this.#takeBack = takeBack;
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
      this.#told.set(sessionID, held.told);
      return this.#request(held, place);
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
    for (const what of this.#step(this.#places.get(messageID))?.takenBack ?? [])
      if ('agent' in what) await this.#takeBack(sessionID, what);
      else {
        const told = this.#told.get(sessionID)?.[what.place];
        if (told) await this.#takeBack(sessionID, { messageID: told.messageID });
      }
  }

  async #request({ told }: Extract<Held, { point: 'request' }>, place: StepPlace): Promise<Edit | undefined> {
    const edited = this.#step(place)?.edited;
    if (!edited) return undefined;
    try {
      const { system, messages } = await rebuildRequest(
        '',
        () => edited.request,
        async (hash) => this.#text(hash),
      );
      const lasting = edited.retold.flatMap((retold): Told[] => {
        const text = this.#text(retold.told);
        const message = told[retold.place];
        return text !== undefined && message
          ? [{ messageID: message.messageID, made: JSON.parse(text) as ModelMessage[] }]
          : [];
      });
      return {
        kind: 'request',
        content: { system, messages },
        ...(lasting.length > 0 && { lasting }),
        ...(edited.systemLasts && { systemLasts: true }),
      };
    } catch {
      // A recording in a link is without its requests.
      return undefined;
    }
  }

  #text(hash: Hash): string | undefined {
    const bytes = this.#content(hash);
    return bytes && new TextDecoder().decode(bytes);
  }
}
