import { messageOf } from '../base/message-of.ts';
import scriptURL from 'guest:guest/preview/opaque/main.ts';
import { opaqueFrame } from '../base/frame.ts';
import { ownFile } from '../base/page-build.ts';
import { loadText } from '../base/parts.ts';
import type { HostEvents, OpenOptions, PreviewHost } from './host.ts';

/** How often a frame loads while it shows one page: its own document, and then what is written into it. */
const LOADS = 2;
/** How often a page may be begun again that left its frame. */
const RESTARTS = 3;
const SANDBOX = 'allow-scripts allow-forms allow-modals allow-downloads';

/**
 * Shows pages in a frame without an origin, where there is none for previews. Each page gets a frame of its own, which can
 * load nothing by itself: a script in it fetches the page through the app and rewrites it.
 */
export async function startOpaque(
  container: HTMLElement,
  events: HostEvents,
  isRefused: boolean,
): Promise<PreviewHost> {
  const script = await loadText(scriptURL);
  return new OpaqueHost(container, script, events, isRefused);
}

class OpaqueHost implements PreviewHost {
  readonly kind = 'opaque';
  readonly isRefused: boolean;
  readonly element: HTMLElement;
  readonly #script: string;
  readonly #events: HostEvents;
  #opened = 0;

  constructor(container: HTMLElement, script: string, events: HostEvents, isRefused: boolean) {
    this.element = container.ownerDocument.createElement('div');
    this.#script = script;
    this.#events = events;
    this.isRefused = isRefused;
    container.append(this.element);
  }

  open(target: string, options: OpenOptions): void {
    void this.#show(target, options, RESTARTS).catch((error: unknown) =>
      this.#events.failed(messageOf(error)),
    );
  }

  reload(target: string, { cookies }: Pick<OpenOptions, 'cookies'>): void {
    this.open(target, { cookies });
  }

  close(): void {
    this.#opened++;
    this.element.remove();
  }

  async #show(target: string, options: OpenOptions, restarts: number): Promise<void> {
    const opened = ++this.#opened;
    const address = new URL(ownFile('preview.html'), document.baseURI);
    const frame = await opaqueFrame(this.element, address, { title: 'Page', sandbox: SANDBOX });
    if (opened !== this.#opened) return frame.remove();
    // The page before stays until then, so that nothing flickers, and what led away from it comes to its end.
    for (const other of this.element.querySelectorAll('iframe')) if (other !== frame) other.remove();
    frame.style.cssText = 'display: block; width: 100%; height: 100%; border: 0';
    frame.hidden = false;
    let loads = 1;
    frame.addEventListener('load', () => {
      if (opened !== this.#opened || ++loads <= LOADS) return;
      // It went elsewhere, or was moved by a browser that loads a moved frame anew.
      if (restarts > 0) void this.#show(target, { cookies: options.cookies }, restarts - 1);
      else {
        frame.remove();
        this.#events.failed('The page tried to leave the preview.');
      }
    });
    const { port1, port2 } = new MessageChannel();
    const start = { target, cookies: options.cookies, ...(options.form && { form: options.form }) };
    // An opaque origin cannot be named as the target. Only this frame gets the port, and it accepts one only from us.
    frame.contentWindow?.postMessage({ script: this.#script, start }, '*', [port2]);
    this.#events.page(port1);
  }
}
