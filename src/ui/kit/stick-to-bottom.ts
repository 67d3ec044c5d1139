/**
 * Keeps a scrolled box at its end while it grows, and stops as soon as the reader scrolls away. Only the
 * reader's own scrolling stops it (wheel, touch, keys, dragging the bar); growth never does.
 */
export class StickToBottom {
  #pinned = true;
  readonly #box: HTMLElement;
  readonly #onPinned: (pinned: boolean) => void;
  #lastTop = 0;
  #lastEnd = 0;

  constructor(box: HTMLElement, onPinned: (pinned: boolean) => void) {
    this.#box = box;
    this.#onPinned = onPinned;
  }

  /** Watches the box and its content; returns a function that stops watching. */
  start(content: HTMLElement): () => void {
    const box = this.#box;
    const grown = new ResizeObserver(() => this.follow());
    grown.observe(box);
    grown.observe(content);
    const scrolled = () => this.#scrolled();
    box.addEventListener('scroll', scrolled, { passive: true });
    this.follow();
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
    this.follow();
  }

  /**
   * Goes to the end, unless the reader scrolled away. It happens by itself when the size changes; call it when lines at
   * the beginning may have made room for new ones at the end.
   */
  follow(): void {
    const { scrollHeight, clientHeight } = this.#box;
    // Where all is in view, there is no end to jump to.
    if (scrollHeight - clientHeight < END) this.#pin(true);
    if (this.#pinned) this.#box.scrollTop = this.#box.scrollHeight;
    this.#remember();
  }

  #scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#box;
    const atEnd = scrollHeight - clientHeight - scrollTop < END;
    // Where there is less to scroll than before, the browser itself moves the box up, by no more than that.
    const lost = Math.max(0, this.#lastEnd - (scrollHeight - clientHeight));
    const movedUp = scrollTop < this.#lastTop - lost - 1;
    if (atEnd) this.#pin(true);
    else if (movedUp) this.#pin(false);
    this.#remember();
  }

  #remember(): void {
    this.#lastTop = this.#box.scrollTop;
    this.#lastEnd = this.#box.scrollHeight - this.#box.clientHeight;
  }

  #pin(pinned: boolean): void {
    if (pinned === this.#pinned) return;
    this.#pinned = pinned;
    this.#onPinned(pinned);
  }
}

/**
 * The distance from the end, in px, that still counts as the end. It is less than one line, so that one notch
 * of a wheel is enough to scroll away.
 */
const END = 12;
