import * as z from 'zod';
import type { Unlisten } from '../../base/listeners.ts';
import type { LessonSource } from '../../lessons/lesson.ts';

const schema = z.object({ markdown: z.string(), script: z.string() });
const PREFIX = 'vitrine.lesson-draft.';

/** What was typed for a lesson and not saved, by what it is typed for. Where storage is refused or full, the page holds it. */
export class LessonDrafts {
  readonly #storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly #held = new Map<string, LessonSource>();

  /** `storage`: throws where the browser has none to give. */
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

  /** What another tab types for the same lesson, with every change, `null` where it has nothing to keep any more: that is what is kept then. */
  onElsewhere(of: string, listener: (source: LessonSource | null) => void): Unlisten {
    const heard = ({ key, newValue }: StorageEvent) => {
      if (key === PREFIX + of) listener(read(newValue) ?? null);
    };
    addEventListener('storage', heard);
    return () => removeEventListener('storage', heard);
  }

  /** `null`: there is nothing that is not saved. */
  keep(of: string, source: LessonSource | null): void {
    if (source) this.#held.set(of, source);
    else this.#held.delete(of);
    try {
      if (source) this.#storage().setItem(PREFIX + of, JSON.stringify(source));
      else this.#storage().removeItem(PREFIX + of);
    } catch {
      // `held` has it for this page, which is all that such a browser gives.
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
