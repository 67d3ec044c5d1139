import * as z from 'zod/mini';
import { connectedFrame } from '../base/frame.ts';
import type { EngineRequest } from '../protocol/engine.ts';

const id = z.number();
const count = z.number().check(z.gte(0));
/** Messages of the frame are checked, because it runs weights that nobody has looked at. */
const responseSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), id, text: z.string() }),
  z.object({ type: z.literal('loaded'), id, contextWindow: count }),
  z.object({ type: z.literal('counted'), id, tokens: count }),
  z.object({ type: z.literal('done'), id, input: count, output: count }),
  z.object({ type: z.literal('problem'), id, problem: z.string() }),
]);
type Response = z.infer<typeof responseSchema>;
type Answer = Exclude<Response, { type: 'text' }>;

type Asked<T> = T extends { readonly type: 'stop' }
  ? never
  : T extends { readonly id: number }
    ? Omit<T, 'id'>
    : never;
type Waiting = {
  readonly settle: (answer: Answer) => void;
  readonly fail: (error: Error) => void;
  readonly text: (text: string) => void;
};

export interface AskOptions {
  /** Called with each piece of an answer. */
  readonly text?: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface FrameOptions {
  readonly container: HTMLElement;
  /** The address of engine.html. */
  readonly address: URL;
  /** Returns the script of the engine. */
  readonly script: () => Promise<string>;
}

const CLOSED = 'The engine was closed.';

/** The way to an engine, which runs in a worker of a frame that has neither an origin nor a network. */
export class EngineLink {
  readonly #frame: HTMLIFrameElement;
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  /** Resolves once no more answers can come. */
  readonly ended: Promise<void>;
  #end: () => void = () => undefined;
  #isClosed = false;
  #ids = 0;

  private constructor(frame: HTMLIFrameElement, port: MessagePort) {
    this.#frame = frame;
    this.#port = port;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    port.onmessage = ({ data }) => this.#take(data);
    addEventListener('message', this.#lost);
  }

  static async open({ container, address, script }: FrameOptions): Promise<EngineLink> {
    const message = script().then((source) => ({ script: source }));
    const options = { title: 'Model in this tab' };
    const { frame, port } = await connectedFrame(container, address, options, message);
    return new EngineLink(frame, port);
  }

  /** Rejects with what the engine says is wrong, and at once where `signal` aborts. */
  ask<T extends Answer['type']>(
    request: Asked<EngineRequest>,
    wanted: T,
    { text = () => undefined, signal }: AskOptions = {},
  ): Promise<Extract<Answer, { type: T }>> {
    const id = ++this.#ids;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      // Its port would take the request, and nothing would ever answer.
      if (this.#isClosed) return reject(new Error(CLOSED));
      const stop = () => {
        this.#port.postMessage({ type: 'stop', id } satisfies EngineRequest);
        end(() => reject(signal?.reason));
      };
      const end = (settle: () => void) => {
        this.#waiting.delete(id);
        signal?.removeEventListener('abort', stop);
        settle();
      };
      const settle = (answer: Answer) =>
        end(() => {
          if (isOf(answer, wanted)) return resolve(answer);
          reject(
            new Error(answer.type === 'problem' ? answer.problem : 'The engine answered something else.'),
          );
        });
      this.#waiting.set(id, { settle, fail: (error) => end(() => reject(error)), text });
      signal?.addEventListener('abort', stop, { once: true });
      this.#port.postMessage({ ...request, id });
    });
  }

  close(): void {
    this.#isClosed = true;
    removeEventListener('message', this.#lost);
    this.#port.close();
    this.#frame.remove();
    this.#failAll(CLOSED);
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
