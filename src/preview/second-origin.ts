import { SHELL_PATH, type ShellConnect, type ToShell } from '../protocol/preview.ts';
import type { Timer } from '../base/timer.ts';
import type { HostEvents, PreviewHost } from './host.ts';
import { Patience } from './patience.ts';
import { fromShell, shellMessage } from './schemas.ts';

export interface OriginOptions {
  readonly origin: string;
  /** The frame is put in here. */
  readonly container: HTMLElement;
  readonly timer: Timer;
}

/**
 * Shows pages on an origin that serves nothing but the preview's own files: a service worker there hands every request to the
 * app. The frame may have its origin's storage, which is neither the app's nor within the app's reach.
 */
export async function startOnOrigin(
  { origin, container, timer }: OriginOptions,
  events: HostEvents,
): Promise<PreviewHost> {
  const frame = container.ownerDocument.createElement('iframe');
  // Never together with the app's own origin, where this would be no sandbox at all.
  if (origin === container.ownerDocument.defaultView?.origin)
    throw new Error('A preview needs another origin.');
  frame.setAttribute(
    'sandbox',
    'allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-pointer-lock',
  );
  frame.title = 'Preview';
  frame.referrerPolicy = 'no-referrer';
  const shell = new Shell(frame, origin, events);
  frame.src = origin + SHELL_PATH;
  const ready = shell.ready(timer);
  container.append(frame);
  try {
    await ready;
  } catch (error) {
    shell.close();
    throw error;
  }
  return shell;
}

class Shell implements PreviewHost {
  readonly kind = 'origin';
  readonly element: HTMLIFrameElement;
  readonly #origin: string;
  readonly #events: HostEvents;
  readonly #over = new AbortController();
  #port: MessagePort | undefined;
  #target: string | undefined;
  #progressed: () => void = () => {};
  #answered: (reason?: string) => void = () => {};

  constructor(frame: HTMLIFrameElement, origin: string, events: HostEvents) {
    this.element = frame;
    this.#origin = origin;
    this.#events = events;
    const view = frame.ownerDocument.defaultView;
    view?.addEventListener('message', (event) => this.#greet(event), { signal: this.#over.signal });
  }

  /** Rejects where the origin does not answer, or cannot have a service worker here. */
  ready(timer: Timer): Promise<void> {
    return new Promise((resolve, reject) => {
      const patience = new Patience(timer, {
        slow: () => this.#events.slow(),
        over: () => this.#answered('The address for previews does not answer.'),
      });
      const { signal } = this.#over;
      this.element.addEventListener('load', () => patience.loaded(), { signal });
      this.#progressed = () => patience.progress();
      this.#answered = (reason) => {
        patience.end();
        this.#progressed = () => {};
        this.#answered = () => {};
        if (reason === undefined) resolve();
        else reject(new Error(reason));
      };
    });
  }

  open(target: string): void {
    this.#target = target;
    this.#say({ kind: 'open', target });
  }

  reload(): void {
    this.#say({ kind: 'reload' });
  }

  close(): void {
    this.#over.abort();
    this.#port?.close();
    this.element.remove();
  }

  /** The shell has loaded, for the first time or again, because the page in it made it. */
  #greet({ source, origin, data, ports: [answers] }: MessageEvent<unknown>): void {
    if (source === null || source !== this.element.contentWindow || origin !== this.#origin) return;
    const parsed = shellMessage.safeParse(data);
    if (!parsed.success) return;
    if (parsed.data.vitrine === 'shell-progress') return this.#progressed();
    if (parsed.data.vitrine === 'shell-failed') {
      const reason = parsed.data.reason ?? 'The preview could not start.';
      this.#answered(reason);
      return this.#events.failed(reason);
    }
    this.#port?.close();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = (event: MessageEvent<unknown>) => this.#hear(event);
    answers?.postMessage({ vitrine: 'connect' } satisfies ShellConnect, [port2]);
    this.#answered();
    if (this.#target !== undefined) this.open(this.#target);
  }

  #hear({ data, ports: [port] }: MessageEvent<unknown>): void {
    const parsed = fromShell.safeParse(data);
    if (!parsed.success || !port) return;
    if (parsed.data.kind === 'page') return this.#events.page(port);
    port.onmessage = ({ data: request, ports: [channel] }: MessageEvent<unknown>) => {
      if (channel) this.#events.request(request, channel);
    };
  }

  #say(message: ToShell): void {
    this.#port?.postMessage(message);
  }
}
