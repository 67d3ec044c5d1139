/** Readers scroll with the wheel, a finger, the bar or keys, and the box hears of it by these events. */
const INPUTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;
/** How long after such an input, in ms, the box may still begin to move by it. */
const INPUT_MS = 1000;

/**
 * Keeps a scrolled box at its end while it grows, and stops as soon as the reader scrolls away. Only the
 * reader's own scrolling stops it (wheel, touch, keys, dragging the bar, searching); growth never does.
 */
export class StickToBottom {
  #pinned = true;
  #lastInput = -Infinity;
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
    const moved = ({ timeStamp }: Event) => (this.#lastInput = timeStamp);
    for (const input of INPUTS) box.addEventListener(input, moved, { passive: true });
    this.follow();
    return () => {
      grown.disconnect();
      box.removeEventListener('scroll', scrolled);
      for (const input of INPUTS) box.removeEventListener(input, moved);
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
    const end = scrollHeight - clientHeight;
    const movedUp = scrollTop < this.#lastTop - 1;
    if (end - scrollTop < END) this.#pin(true);
    else if (movedUp && (end === this.#lastEnd || this.#hasInput())) this.#pin(false);
    this.#remember();
  }

  /**
   * Whether the reader has just moved the box. That decides where its size changed as well: if there was less to scroll for a
   * moment, the browser itself has moved the box up.
   */
  #hasInput(): boolean {
    return performance.now() - this.#lastInput < INPUT_MS;
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
