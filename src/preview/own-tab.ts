import type { Timer } from '../base/timer.ts';
import { fitPage } from './fit-page.ts';

/** A tab of the browser in which a page of the workspace is shown, and nothing else. */
export interface OwnTab {
  /** What holds the page. It is another element after the person has reloaded the tab. */
  readonly container: HTMLElement;
  show(shown: ShownInTab): void;
  close(): void;
}

interface ShownInTab {
  readonly title: string;
  /** In CSS pixels; `null` for the whole tab. */
  readonly size: { readonly width: number; readonly height: number } | null;
  /** The one in the container, if it is there yet. */
  readonly host: { readonly element: HTMLElement } | null;
}

export interface OwnTabEvents {
  /** The person has reloaded the tab, so its container is a new one, and empty. */
  reloaded(): void;
  /** The person has closed the tab, or gone elsewhere in it. */
  closed(): void;
}

/** Returns `null` where the browser opens no tab. */
export type OpenOwnTab = (events: OwnTabEvents) => OwnTab | null;

/** How often it is looked for what became of a tab that was left, in milliseconds. */
const LOOK_MS = 50;

/**
 * Opens a tab for a preview. Its document is an empty one of this page's origin, with this page's policy, so what is put into it
 * is kept away from the app as it is in the page of the app. It closes with that page, from which its requests are answered.
 */
export function openOwnTab(page: Window, timer: Timer, events: OwnTabEvents): OwnTab | null {
  const view = page.open('', '_blank');
  return view && new TabOfWindow(view, page, timer, events);
}

class TabOfWindow implements OwnTab {
  readonly #view: Window;
  readonly #timer: Timer;
  readonly #events: OwnTabEvents;
  readonly #over = new AbortController();
  readonly #language: string;
  #container: HTMLElement;

  constructor(view: Window, page: Window, timer: Timer, events: OwnTabEvents) {
    this.#view = view;
    this.#timer = timer;
    this.#events = events;
    this.#language = page.document.documentElement.lang;
    this.#container = this.#prepare(view.document);
    page.addEventListener('pagehide', () => view.close(), { signal: this.#over.signal });
  }

  get container(): HTMLElement {
    return this.#container;
  }

  show({ title, size, host }: ShownInTab): void {
    this.#container.ownerDocument.title = title || 'Vitrine';
    if (host) fitPage(host.element, size);
  }

  close(): void {
    this.#over.abort();
    this.#view.close();
  }

  #prepare(document: Document): HTMLElement {
    for (const { style } of [document.documentElement, document.body]) style.height = '100%';
    document.documentElement.lang = this.#language;
    document.body.style.margin = '0';
    const left = () => this.#timer.after(LOOK_MS, () => this.#look(document));
    this.#view.addEventListener('pagehide', left, { once: true, signal: this.#over.signal });
    return document.body;
  }

  /** Finds out why a document was left. The next one may take a moment. */
  #look(before: Document): void {
    if (this.#over.signal.aborted) return;
    const document = this.#view.closed ? undefined : emptyDocument(this.#view);
    if (!document) return this.#end();
    if (document === before || document.readyState !== 'complete')
      return void this.#timer.after(LOOK_MS, () => this.#look(before));
    this.#container = this.#prepare(document);
    this.#events.reloaded();
  }

  #end(): void {
    this.#over.abort();
    this.#events.closed();
  }
}

/** The document of the tab, unless the person has gone to another address in it. */
function emptyDocument(view: Window): Document | undefined {
  try {
    return view.document.URL === 'about:blank' ? view.document : undefined;
  } catch {
    return undefined;
  }
}
