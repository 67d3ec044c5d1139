import { SvelteSet } from 'svelte/reactivity';
import { entryText } from '../../../preview/log.ts';
import { toolsIn, wanted, type ItemFilter } from '../../../session/inspect/find.ts';
import type { Inspection } from '../../../session/inspect/inspection.ts';
import type { Call, Item, Step, Turn } from '../../../session/inspect/timeline-items.ts';
import { newestOf, rowsOf } from './rows.ts';

/**
 * The shortest time between two updates of the view, in milliseconds, so that watching a stream does not slow
 * it down.
 */
const SHOW_EVERY_MS = 120;

/** The state of the inspector for one session: its rows, the chosen item, the search. */
export class InspectorState {
  readonly inspection: Inspection;
  readonly #stop: () => void;
  readonly #until: () => number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #changes = -1;
  #events = 0;
  #version = $state(0);
  #now = $state(0);
  #length = $state(0);
  #chosen = $state.raw<string | null>(null);
  #active = $state.raw<string | null>(null);
  readonly #collapsed = new SvelteSet<string>();
  query = $state('');
  filter = $state<ItemFilter>('all');

  /** `until` tells, reactively, how many of the events have happened in a recording at the moment that its player shows. */
  constructor(inspection: Inspection, until: () => number = () => Infinity) {
    this.inspection = inspection;
    this.#until = until;
    this.#stop = inspection.onChange(() => (this.#timer ??= setTimeout(() => this.#show(), SHOW_EVERY_MS)));
    this.#show();
  }

  readonly ready = $derived.by(() => (void this.#length, this.inspection.ready));
  readonly fault = $derived.by(() => (void this.#length, void this.#version, this.inspection.fault));
  /** The number of events. */
  readonly length = $derived(this.#length);
  readonly tools = $derived.by(() => (void this.#version, toolsIn(this.inspection.timeline)));
  readonly #wanted = $derived.by(() => {
    void this.#version;
    return wanted(this.query, this.filter, {
      state: () => this.inspection.whole(),
      reported: (turn) =>
        this.notedIn(turn).flatMap((record) => ('entry' in record ? entryText(record.entry) : [])),
    });
  });
  readonly rows = $derived.by(() => {
    void this.#version;
    return rowsOf(this.inspection.timeline, this.#collapsed, this.#wanted);
  });
  /** The number of steps and calls that match the search; `null` without a search. */
  readonly found = $derived.by(() => {
    const fits = this.#wanted;
    return fits && this.rows.filter(({ item }) => fits(item)).length;
  });
  /** True while a turn is running, so that the bars of unfinished items grow. */
  readonly live = $derived.by(() => {
    void this.#version;
    const last = this.inspection.timeline.turns.at(-1);
    return last !== undefined && last.ended === undefined;
  });
  /** The path of the row with the keyboard focus: the row that the person moved to, else the shown one. */
  readonly active = $derived.by(() => {
    const isThere = (path: string | null) => this.rows.some((row) => row.path === path);
    return isThere(this.#active)
      ? this.#active
      : isThere(this.#chosen)
        ? this.#chosen
        : newestOf(this.rows, this.#until());
  });
  /** The item whose details are shown: the chosen one, else the newest. */
  readonly shown = $derived.by<Item | null>(() => {
    void this.#version;
    const key = this.#chosen ?? newestOf(this.rows, this.#until());
    return (key === null ? undefined : this.inspection.timeline.item(key)) ?? null;
  });
  /** The end of the bars of unfinished items, in milliseconds since the epoch. */
  readonly now = $derived.by(() => {
    void this.#version;
    return this.live ? Math.max(this.#now, this.inspection.timeline.last) : this.inspection.timeline.last;
  });

  tick(now: number): void {
    this.#now = now;
  }

  /** Moves to a row and shows its details. */
  choose(path: string): void {
    this.#active = path;
    this.#chosen = path;
  }

  toggle(path: string, open: boolean): void {
    if (open) this.#collapsed.delete(path);
    else this.#collapsed.add(path);
  }

  /** The events of an item. The read is reactive: it repeats when the log grows. */
  eventsOf(item: Step | Call) {
    void this.#length;
    return this.inspection.eventsOf(item);
  }

  /** Returns what happened in the preview during a turn. The read is reactive, too. */
  notedIn(turn: Turn) {
    void this.#length;
    return this.inspection.notedIn(turn);
  }

  decisionsOf(call: Call) {
    void this.#version;
    return this.inspection.decisionsOf(call);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stop();
    this.inspection.close();
  }

  #show(): void {
    this.#timer = undefined;
    const { timeline, events, fault } = this.inspection;
    if (events.length === this.#events && timeline.changes === this.#changes && !fault) return;
    if (timeline.changes !== this.#changes || fault) this.#version++;
    this.#changes = timeline.changes;
    this.#events = events.length;
    this.#length = events.length;
    this.#now = Math.max(this.#now, timeline.last);
  }
}
