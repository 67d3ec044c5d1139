import type { Layout } from '../state/layout.svelte.ts';

/** Why the lessons were opened: to choose one, to show a given one, or to show one from a link. */
export type LessonsFor =
  | { readonly kind: 'list' }
  | { readonly kind: 'lesson'; readonly id: string }
  | { readonly kind: 'shared'; readonly data: string };

/** Whether the panel of lessons is open, and for which lesson. */
export class LessonsPanel {
  readonly #layout: Pick<Layout, 'show' | 'showLesson'>;
  #purpose = $state.raw<LessonsFor | null>(null);

  constructor(layout: Pick<Layout, 'show' | 'showLesson'>) {
    this.#layout = layout;
  }

  /** Why the panel is open; `null` while it is closed. */
  get purpose(): LessonsFor | null {
    return this.#purpose;
  }

  open(purpose: LessonsFor = { kind: 'list' }): void {
    this.#purpose = purpose;
    this.#layout.showLesson();
  }

  close(): void {
    this.#purpose = null;
    this.#layout.show('chat');
  }
}
