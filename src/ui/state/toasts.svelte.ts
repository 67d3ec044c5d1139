/* eslint-disable svelte/prefer-svelte-reactivity -- the maps here are bookkeeping: what is shown is in the `$state` fields */
import { faultOf } from '../../base/fault.ts';
import { faultText } from '../conversation/fault-words.ts';

/** A short notice with at most one action, which disappears after a while. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo?: () => void;
  readonly action?: { readonly title: string; readonly run: () => void };
  readonly failed: boolean;
  /** The notice stays until the person dismisses it. */
  readonly lasting?: boolean;
  /** The notice is shown only as long as this holds. It is reactive. */
  readonly while?: () => boolean;
}

/** Leaves enough time to read a notice and to reach it, in milliseconds. */
const SHOWN_MS = 10_000;

export class Toasts {
  #toasts = $state.raw<readonly Toast[]>([]);
  #places = $state.raw<readonly object[]>([]);
  #next = 0;
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();

  get all(): readonly Toast[] {
    return this.#toasts.filter((toast) => toast.while?.() ?? true);
  }

  /** The list that shows the notices: that of the dialog opened last, since an open dialog covers the page. */
  get place(): object | undefined {
    return this.#places.at(-1);
  }

  /** Shows the notices at this place until the returned function is called. */
  showAt(place: object): () => void {
    this.#places = [...this.#places, place];
    return () => (this.#places = this.#places.filter((each) => each !== place));
  }

  show(text: string, options: Partial<Omit<Toast, 'id' | 'text'>> = {}): number {
    const id = this.#next++;
    this.#toasts = [...this.#toasts, { failed: false, ...options, id, text }];
    this.resume(id);
    return id;
  }

  fail(error: unknown): void {
    this.show(faultText(faultOf(error)), { failed: true });
  }

  /** Runs the action and shows the person a failure. */
  async attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Stops the timer while the notice is hovered or focused. */
  hold(id: number): void {
    clearTimeout(this.#timers.get(id));
  }

  resume(id: number): void {
    clearTimeout(this.#timers.get(id));
    if (this.#toasts.some((toast) => toast.id === id && toast.lasting)) return;
    this.#timers.set(
      id,
      setTimeout(() => this.dismiss(id), SHOWN_MS),
    );
  }

  dismiss(id: number): void {
    this.hold(id);
    this.#timers.delete(id);
    this.#toasts = this.#toasts.filter((toast) => toast.id !== id);
  }
}
