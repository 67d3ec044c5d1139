import { FaultError } from '../base/fault.ts';
import { LONGEST_PAGE_ANSWER, type PageAction, type ToPage } from '../protocol/preview.ts';
import { fromPage, type ParsedFromPage } from './schemas.ts';

export type PageNews = Exclude<ParsedFromPage, { kind: 'answer' | 'failed' }>;

interface Waiting {
  resolve(value: string): void;
  reject(error: FaultError): void;
}

/** The script in one page of a preview. Whatever it says is up to the page. */
export class PageLink {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;

  /** `news` gets everything but the answers to actions. A message that is none is ignored. */
  constructor(port: MessagePort, news: (message: PageNews, channel: MessagePort | undefined) => void) {
    this.#port = port;
    port.onmessage = ({ data, ports }: MessageEvent<unknown>) => {
      const parsed = fromPage.safeParse(data);
      if (!parsed.success) return;
      const message = parsed.data;
      if (message.kind === 'answer') this.#take(message.id)?.resolve(message.value);
      else if (message.kind === 'failed') this.#take(message.id)?.reject(refusal(message.message));
      else news(message, ports[0]);
    };
  }

  /** Rejects with a fault where the page cannot do it, or is left before it has answered. */
  act(action: PageAction, signal?: AbortSignal): Promise<string> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const aborted = () => this.#take(id)?.reject(signal?.reason as FaultError);
      const over = () => signal?.removeEventListener('abort', aborted);
      this.#waiting.set(id, {
        // Only a picture is longer, whatever the page says.
        resolve: (value) => (
          over(),
          resolve(action.do === 'picture' ? value : value.slice(0, LONGEST_PAGE_ANSWER))
        ),
        reject: (error) => (over(), reject(error)),
      });
      if (signal?.aborted) return aborted();
      signal?.addEventListener('abort', aborted, { once: true });
      this.#say({ kind: 'do', id, action });
    });
  }

  showCookies(text: string): void {
    this.#say({ kind: 'cookies', text });
  }

  /** The page is gone. */
  lose(): void {
    this.#port.close();
    for (const id of [...this.#waiting.keys()])
      this.#take(id)?.reject(refusal('The page was left before it had answered.', 'page-left'));
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #say(message: ToPage): void {
    this.#port.postMessage(message);
  }
}

function refusal(what: string, code = 'preview'): FaultError {
  return new FaultError({ code, what });
}
