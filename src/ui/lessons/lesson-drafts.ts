import * as z from 'zod';
import type { Unlisten } from '../../base/listeners.ts';
import type { LessonSource } from '../../lessons/lesson.ts';

const schema = z.object({ markdown: z.string(), script: z.string() });
const PREFIX = 'vitrine.lesson-draft.';

/**
 * Unsaved text of lessons, keyed by the lesson. If storage is refused or full, it lasts as long as the page.
 */
export class LessonDrafts {
  readonly #storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly #held = new Map<string, LessonSource>();

  /** `storage` throws if the browser offers none. */
  constructor(storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = () => localStorage) {
    this.#storage = storage;
  }

  get(of: string): LessonSource | undefined {
    const held = this.#held.get(of);
    if (held) return held;
    try {
      return read(this.#storage().getItem(PREFIX + of));
    } catch {
      return undefined;
    }
  }

  /**
   * Calls `listener` with each change that another tab makes to the stored draft of the same lesson; `null`
   * when that tab removes it. The stored draft is then the other tab's.
   */
  onElsewhere(of: string, listener: (source: LessonSource | null) => void): Unlisten {
    const heard = ({ key, newValue }: StorageEvent) => {
      if (key === PREFIX + of) listener(read(newValue) ?? null);
    };
    addEventListener('storage', heard);
    return () => removeEventListener('storage', heard);
  }

  /** `null` removes the draft, since nothing is unsaved. */
  keep(of: string, source: LessonSource | null): void {
    if (source) this.#held.set(of, source);
    else this.#held.delete(of);
    try {
      if (source) this.#storage().setItem(PREFIX + of, JSON.stringify(source));
      else this.#storage().removeItem(PREFIX + of);
    } catch {
      // `held` keeps the text for this page, which is all that such a browser allows.
    }
  }
}

function read(text: string | null): LessonSource | undefined {
  try {
    return schema.safeParse(JSON.parse(text ?? 'null')).data;
  } catch {
    return undefined;
  }
}

export const lessonDrafts = new LessonDrafts();
