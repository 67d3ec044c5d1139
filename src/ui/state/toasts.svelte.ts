/* eslint-disable svelte/prefer-svelte-reactivity -- the maps here are bookkeeping: what is shown is in the `$state` fields */
/** A short notice with at most one thing to do, gone by itself after a while. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo?: () => void;
  readonly failed: boolean;
}

/** Long enough to read and reach for it. */
const SHOWN_MS = 10_000;

export class Toasts {
  #toasts = $state.raw<readonly Toast[]>([]);
  #next = 0;
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();

  get all(): readonly Toast[] {
    return this.#toasts;
  }

  show(text: string, options: { readonly undo?: () => void; readonly failed?: boolean } = {}): void {
    const { undo, failed = false } = options;
    const id = this.#next++;
    this.#toasts = [...this.#toasts, { id, text, failed, ...(undo && { undo }) }];
    this.resume(id);
  }

  /** Waits while it is pointed at or focused. */
  hold(id: number): void {
    clearTimeout(this.#timers.get(id));
  }

  resume(id: number): void {
    clearTimeout(this.#timers.get(id));
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
