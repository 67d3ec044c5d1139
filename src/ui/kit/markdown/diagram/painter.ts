import scriptURL from 'guest:guest/diagram/main.ts';
import * as z from 'zod/mini';
import { loadText } from '../../../../base/parts.ts';
import {
  LARGEST_DRAWING,
  LONGEST_DIAGRAM,
  type DiagramColours,
  type DiagramRequest,
} from '../../../../protocol/diagram.ts';

/** A drawn diagram. `svg` is untrusted: it may only be shown as an image. */
export interface Drawn {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  readonly kind: string;
  readonly title: string;
  readonly description: string;
}

export interface Painter {
  /** Rejects with a sentence that says why there is no drawing. */
  draw(text: string, colours: DiagramColours): Promise<Drawn>;
}

const size = z.number().check(z.gt(0), z.lt(100_000));
const label = z.string().check(z.maxLength(LONGEST_DIAGRAM));
const drawnSchema = z.object({
  id: z.number(),
  svg: z.string().check(z.maxLength(LARGEST_DRAWING)),
  width: size,
  height: size,
  kind: label,
  title: label,
  description: label,
});
const problemSchema = z.object({ id: z.number(), problem: z.string() });
const responseSchema = z.union([drawnSchema, problemSchema]);

/** How a painter works; tests have other values. */
export interface PainterOptions {
  /** Returns the script that draws in the frame. */
  readonly script?: () => Promise<string>;
  /** A drawing that takes longer is given up, with its frame; in milliseconds. */
  readonly timeLimit?: number;
}

const TIME_LIMIT_MS = 10_000;
/** A frame that has nothing to do is removed after this time. */
const IDLE_MS = 60_000;
/** Drawings that are kept, so that what comes back into view is not drawn again. */
const KEPT = 30;

/** Draws one diagram after the other in a frame without an origin, which is removed when it hangs or has no work. */
export class FramePainter implements Painter {
  readonly #container: HTMLElement;
  readonly #address: URL;
  readonly #script: () => Promise<string>;
  readonly #timeLimit: number;
  readonly #kept = new Map<string, Promise<Drawn>>();
  #last: Promise<unknown> = Promise.resolve();
  #frame: Promise<Frame> | null = null;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #ids = 0;

  /** `address` is that of diagram.html. */
  constructor(container: HTMLElement, address: URL, options: PainterOptions = {}) {
    this.#container = container;
    this.#address = address;
    this.#script = options.script ?? (() => loadText(scriptURL));
    this.#timeLimit = options.timeLimit ?? TIME_LIMIT_MS;
  }

  draw(text: string, colours: DiagramColours): Promise<Drawn> {
    if (text.length > LONGEST_DIAGRAM)
      return Promise.reject(new Error(`it has more than ${LONGEST_DIAGRAM} characters.`));
    const key = JSON.stringify([text, colours]);
    const known = this.#kept.get(key);
    if (known) return known;
    const drawn = this.#last.then(() => this.#draw(text, colours));
    this.#last = drawn.catch(() => undefined);
    this.#kept.set(key, drawn);
    drawn.catch(() => this.#kept.delete(key));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return drawn;
  }

  async #draw(text: string, colours: DiagramColours): Promise<Drawn> {
    clearTimeout(this.#idle);
    this.#frame ??= Frame.open(this.#container, this.#address, this.#script);
    try {
      const frame = await this.#frame;
      const { success, data: answer } = responseSchema.safeParse(
        await frame.ask({ id: ++this.#ids, text, colours }, this.#timeLimit),
      );
      if (!success) throw new Error('the drawing is too large, or none.');
      if ('problem' in answer) throw new ParseProblem(answer.problem);
      return answer;
    } catch (error) {
      if (!(error instanceof ParseProblem)) this.#close();
      throw error;
    } finally {
      this.#idle = setTimeout(() => this.#close(), IDLE_MS);
    }
  }

  #close(): void {
    void this.#frame?.then(
      (frame) => frame.close(),
      () => undefined,
    );
    this.#frame = null;
  }
}

/** The diagram's text is at fault, and the frame can go on. */
class ParseProblem extends Error {}

class Frame {
  readonly #element: HTMLIFrameElement;
  readonly #port: MessagePort;

  private constructor(element: HTMLIFrameElement, port: MessagePort) {
    this.#element = element;
    this.#port = port;
  }

  static async open(container: HTMLElement, address: URL, script: () => Promise<string>): Promise<Frame> {
    const element = container.ownerDocument.createElement('iframe');
    element.setAttribute('sandbox', 'allow-scripts');
    element.title = 'Diagrams';
    element.inert = true;
    element.ariaHidden = 'true';
    // It needs a size, because text is measured in it.
    element.style.cssText =
      'position: fixed; inset: 0 auto auto 0; width: 1200px; height: 800px; border: 0; visibility: hidden; z-index: -1';
    const loaded = new Promise((resolve) => element.addEventListener('load', resolve, { once: true }));
    element.src = address.href;
    container.append(element);
    try {
      const [source] = await Promise.all([script(), loaded]);
      // It has no other page to show: one that goes elsewhere is removed.
      element.addEventListener('load', () => element.remove());
      const { port1, port2 } = new MessageChannel();
      // An opaque origin cannot be named as the target. Only this frame gets the port, and it accepts one only from us.
      element.contentWindow?.postMessage({ script: source }, '*', [port2]);
      return new Frame(element, port1);
    } catch (error) {
      element.remove();
      throw error;
    }
  }

  /** Rejects after `limit` milliseconds. */
  ask(request: DiagramRequest, limit: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`it was not drawn within ${limit / 1000} seconds.`)),
        limit,
      );
      this.#port.onmessage = ({ data }) => {
        clearTimeout(late);
        resolve(data);
      };
      this.#port.postMessage(request);
    });
  }

  close(): void {
    this.#port.close();
    this.#element.remove();
  }
}
