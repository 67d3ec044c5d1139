/** Small choices for this browser (theme, widths). If storage is refused, they last as long as the page. */
export interface Preferences {
  get(key: PreferenceKey): string | null;
  set(key: PreferenceKey, value: string): void;
}

export type PreferenceKey =
  | 'language'
  | 'theme'
  | 'text-size'
  | 'code-size'
  | 'density'
  | 'contrast'
  | 'tab'
  | 'sidebar'
  | 'sidebar-width'
  | 'workbench'
  | 'workbench-width'
  | 'workbench-width-reviewing'
  | 'workbench-width-watching'
  | 'stepping'
  | 'changes'
  | 'format-on-save'
  | 'keys'
  | 'folded-workspaces'
  | 'layout'
  | 'usual-panes'
  | 'notifications'
  | 'notification-sound';

const PREFIX = 'vitrine.';

/** The values that were set on this page. All parts of the page share them. */
const held = new Map<string, string>();

export function browserPreferences(): Preferences {
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
