import * as z from 'zod/mini';
import type { EngineRequest } from '../protocol/engine.ts';

const id = z.number();
const count = z.number().check(z.gte(0));
/** What comes from the frame is checked: weights that nobody knows ran in it. */
const responseSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), id, text: z.string() }),
  z.object({ type: z.literal('loaded'), id, contextWindow: count }),
  z.object({ type: z.literal('counted'), id, tokens: count }),
  z.object({ type: z.literal('done'), id, input: count, output: count }),
  z.object({ type: z.literal('problem'), id, problem: z.string() }),
]);
type Response = z.infer<typeof responseSchema>;
type Answer = Exclude<Response, { type: 'text' }>;

type Asked<T> = T extends { readonly id: number } ? Omit<T, 'id'> : never;
type Waiting = {
  readonly settle: (answer: Answer) => void;
  readonly fail: (error: Error) => void;
  readonly text: (text: string) => void;
};

export interface FrameOptions {
  readonly container: HTMLElement;
  /** The address of engine.html. */
  readonly address: URL;
  /** Returns the script of the engine. */
  readonly script: () => Promise<string>;
}

/** The way to an engine, which runs in a worker of a frame that has neither an origin nor a network. */
export class EngineLink {
  readonly #frame: HTMLIFrameElement;
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  /** Resolves once no more answers can come. */
  readonly ended: Promise<void>;
  #end: () => void = () => undefined;
  #ids = 0;

  private constructor(frame: HTMLIFrameElement, port: MessagePort) {
    this.#frame = frame;
    this.#port = port;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    port.onmessage = ({ data }) => this.#take(data);
    addEventListener('message', this.#lost);
  }

  static async open({ container, address, script }: FrameOptions): Promise<EngineLink> {
    const frame = container.ownerDocument.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.title = 'Model in this tab';
    frame.hidden = true;
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    frame.src = address.href;
    container.append(frame);
    try {
      const [source] = await Promise.all([script(), loaded]);
      const { port1, port2 } = new MessageChannel();
      // An opaque origin cannot be named as the target. Only this frame gets the port, and it accepts one only from us.
      frame.contentWindow?.postMessage({ script: source }, '*', [port2]);
      return new EngineLink(frame, port1);
    } catch (error) {
      frame.remove();
      throw error;
    }
  }

  /** Rejects with what the engine says is wrong. `text` is called with each piece of an answer. */
  ask<T extends Answer['type']>(
    request: Asked<EngineRequest>,
    wanted: T,
    text: (text: string) => void = () => undefined,
  ): Promise<Extract<Answer, { type: T }>> {
    const requestID = ++this.#ids;
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        this.#waiting.delete(requestID);
        reject(error);
      };
      const settle = (answer: Answer) => {
        this.#waiting.delete(requestID);
        if (isOf(answer, wanted)) resolve(answer);
        else
          reject(
            new Error(answer.type === 'problem' ? answer.problem : 'The engine answered something else.'),
          );
      };
      this.#waiting.set(requestID, { settle, fail, text });
      this.#port.postMessage({ ...request, id: requestID });
    });
  }

  /** Ends the answer that is under way. */
  stop(): void {
    this.#port.postMessage({ type: 'stop' } satisfies EngineRequest);
  }

  close(): void {
    removeEventListener('message', this.#lost);
    this.#port.close();
    this.#frame.remove();
    this.#failAll('The engine was closed.');
    this.#end();
  }

  #take(data: unknown): void {
    const { success, data: response } = responseSchema.safeParse(data);
    if (!success) return this.#failAll('The engine answered in a form that it does not have.');
    const waiting = this.#waiting.get(response.id);
    if (response.type === 'text') waiting?.text(response.text);
    else waiting?.settle(response);
  }

  readonly #lost = ({ source, data }: MessageEvent<unknown>): void => {
    if (source !== this.#frame.contentWindow) return;
    const said = z.object({ lost: z.string() }).safeParse(data);
    this.#failAll(`The engine ended: ${said.success ? said.data.lost : 'nothing more is known.'}`);
    this.close();
  };

  #failAll(reason: string): void {
    for (const { fail } of [...this.#waiting.values()]) fail(new Error(reason));
  }
}

function isOf<T extends Answer['type']>(answer: Answer, type: T): answer is Extract<Answer, { type: T }> {
  return answer.type === type;
}
