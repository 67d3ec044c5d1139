/** Small choices for this browser (theme, widths). If storage is refused, they last as long as the page. */
export interface Preferences {
  get(key: PreferenceKey): string | null;
  set(key: PreferenceKey, value: string): void;
}

export type PreferenceKey = 'theme' | 'tab' | 'sidebar' | 'workbench' | 'stepping' | 'changes';

const PREFIX = 'vitrine.';

export function browserPreferences(): Preferences {
  const held = new Map<string, string>();
  return {
    get(key) {
      try {
        return held.get(key) ?? localStorage.getItem(PREFIX + key);
      } catch {
        return held.get(key) ?? null;
      }
    },
    set(key, value) {
      held.set(key, value);
      try {
        localStorage.setItem(PREFIX + key, value);
      } catch {
        // If storage is refused or full, `held` keeps the value for this page, which is all that such a
        // browser allows.
      }
    },
  };
}
