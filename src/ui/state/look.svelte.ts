import { LANGUAGES } from '../languages/languages.ts';
import type { Preferences } from './preferences.ts';

/** The choices about how the page looks, besides the theme. The first of each is the default. */
export const LOOKS = {
  /** public/look.js and not `apply` makes use of it, because it takes a reload. */
  language: ['browser', ...LANGUAGES],
  'text-size': ['normal', 'small', 'large', 'larger', 'largest'],
  'code-size': ['normal', 'small', 'large', 'larger', 'largest'],
  density: ['comfortable', 'compact'],
  contrast: ['system', 'more'],
} as const;

export type LookKey = keyof typeof LOOKS;
export type LookValue<Key extends LookKey> = (typeof LOOKS)[Key][number];
type Chosen = { readonly [Key in LookKey]: LookValue<Key> };

/** Sizes, density and contrast of the page, as the person chose them on this device. */
export class Look {
  readonly #preferences: Preferences;
  #chosen = $state.raw<Chosen>({
    language: 'browser',
    'text-size': 'normal',
    'code-size': 'normal',
    density: 'comfortable',
    contrast: 'system',
  });

  constructor(preferences: Preferences) {
    this.#preferences = preferences;
    for (const key of Object.keys(LOOKS) as LookKey[]) {
      const kept = LOOKS[key].find((value) => value === preferences.get(key));
      if (kept) this.#chosen = { ...this.#chosen, [key]: kept };
    }
  }

  get<Key extends LookKey>(key: Key): LookValue<Key> {
    return this.#chosen[key];
  }

  set<Key extends LookKey>(key: Key, value: LookValue<Key>): void {
    this.#chosen = { ...this.#chosen, [key]: value };
    this.#preferences.set(key, value);
  }

  /**
   * Writes what is chosen to `root`, where the style sheet reads it; public/look.js does the same before the first
   * paint. `systemWantsMore` is true if the system asks for more contrast.
   */
  apply({ dataset }: HTMLElement, systemWantsMore: boolean): void {
    const { contrast, density } = this.#chosen;
    dataset.textSize = this.#chosen['text-size'];
    dataset.codeSize = this.#chosen['code-size'];
    dataset.density = density;
    dataset.contrast = contrast === 'more' || systemWantsMore ? 'more' : 'normal';
  }
}
