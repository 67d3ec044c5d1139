import { messageOf } from '../../../src/base/message-of.ts';
import type { FromPage, ToPage } from '../../../src/protocol/preview.ts';
import { act } from './act.ts';
import { PageCookies } from './cookies.ts';

/** The page's way to the app: it says what happens, and does what the app asks for. */
export class AppLink {
  readonly #port: MessagePort;
  readonly #cookies: PageCookies;

  /** `cookies` are those that the page's scripts may see, as a `Cookie` header has them. */
  constructor(port: MessagePort, cookies: string) {
    this.#port = port;
    this.#cookies = new PageCookies(cookies, (text) => this.say({ kind: 'cookie', text }));
    port.onmessage = ({ data }: MessageEvent<ToPage>) => void this.#hear(data);
  }

  readonly say = (message: FromPage, port?: MessagePort): void => {
    this.#port.postMessage(message, port ? [port] : []);
  };

  async #hear(message: ToPage): Promise<void> {
    if (message.kind === 'cookies') return this.#cookies.become(message.text);
    const { id, action } = message;
    try {
      this.say({ kind: 'answer', id, value: await act(action) });
    } catch (error) {
      this.say({ kind: 'failed', id, message: messageOf(error) });
    }
  }
}
