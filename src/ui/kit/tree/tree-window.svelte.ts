/** The number of rows that are drawn beyond the screen, in each direction. */
const OVERSCAN = 12;

/**
 * The rows of a long tree that are drawn: those on the screen, some around them, and the active one. The
 * constructor uses an effect, so it must run within a component.
 */
export class TreeWindow<Row extends { readonly path: string }> {
  scroller = $state<HTMLElement>();
  rowHeight = $state(26);
  height = $state(0);
  top = $state(0);
  readonly #rows: () => readonly Row[];
  readonly #active: () => string | null;

  /** Both functions are reactive; `active` returns the path of the row with the keyboard focus. */
  constructor(rows: () => readonly Row[], active: () => string | null) {
    this.#rows = rows;
    this.#active = active;
    $effect(() => this.#keepInView());
  }

  /** The index of the active row; -1 if there is none. */
  readonly activeAt = $derived.by(() => this.#rows().findIndex(({ path }) => path === this.#active()));

  readonly drawn = $derived.by(() => {
    const rows = this.#rows();
    const from = Math.max(Math.floor(this.top / this.rowHeight) - OVERSCAN, 0);
    const to = Math.min(Math.ceil((this.top + this.height) / this.rowHeight) + OVERSCAN, rows.length);
    const seen = rows.slice(from, to).map((row, at) => ({ row, at: from + at }));
    // The active row is always drawn, since assistive technology refers to it.
    const at = this.activeAt;
    const active = rows[at];
    if (!active || (at >= from && at < to)) return seen;
    return at < from ? [{ row: active, at }, ...seen] : [...seen, { row: active, at }];
  });

  /** The row that an event came from; its element holds the index in `data-at`. */
  rowAt(target: EventTarget | null): Row | undefined {
    const element = target instanceof Element ? target.closest<HTMLElement>('[role="treeitem"]') : null;
    return element ? this.#rows()[Number(element.dataset['at'])] : undefined;
  }

  #keepInView(): void {
    if (!this.scroller || this.activeAt < 0) return;
    const start = this.activeAt * this.rowHeight;
    const end = start + this.rowHeight;
    if (start < this.scroller.scrollTop) this.scroller.scrollTop = start;
    else if (end > this.scroller.scrollTop + this.height) this.scroller.scrollTop = end - this.height;
  }
}
