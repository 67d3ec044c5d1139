import type { Layout } from '../state/layout.svelte.ts';

/** Why the lessons were opened: to choose one, to show a given one, or to show one from a link. */
export type LessonsFor =
  | { readonly kind: 'list' }
  | { readonly kind: 'lesson'; readonly id: string }
  | { readonly kind: 'shared'; readonly data: string };

/** A line at the message box, by which the open lesson says how it goes on. */
export interface LessonNews {
  readonly sessionID: string;
  readonly text: string;
  /** Leads back to the lesson while another pane is shown in its place. */
  readonly button?: string;
}

/** Whether the panel of lessons is open, for which lesson, and what there is to say of it. */
export class LessonsPanel {
  readonly #layout: Pick<Layout, 'show' | 'showLesson'>;
  #purpose = $state.raw<LessonsFor | null>(null);
  /** Set by the open lesson. */
  news = $state.raw<LessonNews | null>(null);
  /** Screen readers are told this about the open lesson, because they do not read it while it is hidden. */
  said = $state.raw('');

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
