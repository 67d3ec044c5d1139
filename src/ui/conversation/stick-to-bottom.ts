/**
 * Keeps a scrolled box at its end while it grows, and lets go the moment the reader looks elsewhere. Only a reader's
 * own move lets go (wheel, touch, keys, dragging the bar); growth never does.
 */
export class StickToBottom {
  #pinned = true;
  readonly #box: HTMLElement;
  readonly #onPinned: (pinned: boolean) => void;
  #lastTop = 0;
  #lastHeight = 0;

  constructor(box: HTMLElement, onPinned: (pinned: boolean) => void) {
    this.#box = box;
    this.#onPinned = onPinned;
  }

  /** Watches the box and what is in it; returns what stops it. */
  start(content: HTMLElement): () => void {
    const box = this.#box;
    const grown = new ResizeObserver(() => this.#follow());
    grown.observe(box);
    grown.observe(content);
    const scrolled = () => this.#scrolled();
    box.addEventListener('scroll', scrolled, { passive: true });
    this.#follow();
    return () => {
      grown.disconnect();
      box.removeEventListener('scroll', scrolled);
    };
  }

  get pinned(): boolean {
    return this.#pinned;
  }

  jump(): void {
    this.#pin(true);
    this.#follow();
  }

  #follow(): void {
    if (this.#pinned) this.#box.scrollTop = this.#box.scrollHeight;
    this.#remember();
  }

  #scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#box;
    const atEnd = scrollHeight - clientHeight - scrollTop < END;
    // A box that shrank is moved up by the browser; that is no wish of the reader.
    const movedUp = scrollTop < this.#lastTop - 1 && scrollHeight >= this.#lastHeight;
    if (atEnd) this.#pin(true);
    else if (movedUp) this.#pin(false);
    this.#remember();
  }

  #remember(): void {
    this.#lastTop = this.#box.scrollTop;
    this.#lastHeight = this.#box.scrollHeight;
  }

  #pin(pinned: boolean): void {
    if (pinned === this.#pinned) return;
    this.#pinned = pinned;
    this.#onPinned(pinned);
  }
}

/** How near the end counts as the end, in px: less than one line, so that one notch of a wheel lets go. */
const END = 12;
