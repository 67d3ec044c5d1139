import type { Hash } from '../../base/hash.ts';
import type { ModelMessage } from '../../models/types.ts';
import type { Told } from '../messages.ts';
import { rebuildRequest } from '../inspect/request.ts';
import type { Edit, Held } from '../stepping/stepper.ts';
import { firstPrompt, type Playback, type StepPlace } from './playback.ts';
import type { RecordedStep } from './steps.ts';

type Content = (hash: Hash) => Uint8Array | undefined;

/** What a person edited in a recording, made again where it is run: each edit at its own place. */
export class RecordedEdits {
  readonly #playback: Playback;
  readonly #content: Content;
  /** By the message that is a step of the run. */
  readonly #places = new Map<string, StepPlace>();

  constructor(playback: Playback, content: Content) {
    this.#playback = playback;
    this.#content = content;
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
      return this.#request(held, place);
    }
    if (held.point === 'response') return undefined;
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
      return { kind: 'request', content: { system, messages }, ...(lasting.length > 0 && { lasting }) };
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
