import type { Timer } from '../base/timer.ts';
import { fitPage } from './fit-page.ts';

/** A tab of the browser in which a page of the workspace is shown, and nothing else. */
export interface OwnTab {
  /** The element that holds the page. It is undefined until the tab is ready, and another element after the person has reloaded it. */
  readonly container: HTMLElement | undefined;
  show(shown: ShownInTab): void;
  focus(): void;
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
  /** The tab has an empty container, at first or because the person has reloaded it. */
  ready(): void;
  /** The person has closed the tab, or gone elsewhere in it. */
  closed(): void;
}

/** Returns `null` where the browser opens no tab. */
export type OpenOwnTab = (events: OwnTabEvents) => OwnTab | null;

/** How often it is looked for what became of a tab that is opened or was left, in milliseconds. */
const LOOK_MS = 50;
const EMPTY_PAGE =
  '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Vitrine</title>';

/**
 * Opens a tab for a preview. Its document is an empty one of this page's origin, with this page's policy, so what is put into it
 * is kept away from the app as it is in the page of the app. It closes with that page, from which its requests are answered.
 */
export function openOwnTab(page: Window, timer: Timer, events: OwnTabEvents): OwnTab | null {
  // In the document with which every tab begins, pages would have no history.
  const address = URL.createObjectURL(new Blob([EMPTY_PAGE], { type: 'text/html' }));
  const view = page.open(address, '_blank');
  if (view) return new TabOfWindow(view, address, page, timer, events);
  URL.revokeObjectURL(address);
  return null;
}

class TabOfWindow implements OwnTab {
  readonly #view: Window;
  readonly #address: string;
  readonly #timer: Timer;
  readonly #events: OwnTabEvents;
  readonly #over = new AbortController();
  readonly #language: string;
  #container: HTMLElement | undefined;

  constructor(view: Window, address: string, page: Window, timer: Timer, events: OwnTabEvents) {
    this.#view = view;
    this.#address = address;
    this.#timer = timer;
    this.#events = events;
    this.#language = page.document.documentElement.lang;
    const { signal } = this.#over;
    signal.addEventListener('abort', () => URL.revokeObjectURL(address));
    page.addEventListener('pagehide', () => view.close(), { signal });
    this.#lookLater(undefined);
  }

  get container(): HTMLElement | undefined {
    return this.#container;
  }

  show({ title, size, host }: ShownInTab): void {
    if (this.#container) this.#container.ownerDocument.title = title || 'Vitrine';
    if (host) fitPage(host.element, size);
  }

  focus(): void {
    this.#view.focus();
  }

  close(): void {
    this.#over.abort();
    this.#view.close();
  }

  #lookLater(before: Document | undefined): void {
    this.#timer.after(LOOK_MS, () => this.#look(before));
  }

  /** Looks for the document after one that was left, which may take a moment. */
  #look(before: Document | undefined): void {
    if (this.#over.signal.aborted) return;
    const document = this.#view.closed ? undefined : documentOf(this.#view);
    const isOnItsWay = document === before || document?.URL === 'about:blank';
    if (document && (isOnItsWay || document.readyState !== 'complete')) return this.#lookLater(before);
    if (document?.URL !== this.#address) return this.#end();
    this.#prepare(document);
    this.#events.ready();
  }

  #prepare(document: Document): void {
    document.documentElement.lang = this.#language;
    for (const { style } of [document.documentElement, document.body]) style.height = '100%';
    document.body.style.margin = '0';
    this.#container = document.body;
    const left = () => this.#lookLater(document);
    this.#view.addEventListener('pagehide', left, { once: true, signal: this.#over.signal });
  }

  #end(): void {
    this.#over.abort();
    this.#events.closed();
  }
}

/** The document of the tab, unless the person has gone to another site in it. */
function documentOf(view: Window): Document | undefined {
  try {
    return view.document;
  } catch {
    return undefined;
  }
}
