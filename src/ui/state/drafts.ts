const PREFIX = 'vitrine.draft.';

/** Unsent texts, keyed by session; the key is `''` while no session is shown. */
export interface Drafts {
  get(sessionID: string): string;
  /** An empty text removes the draft. */
  set(sessionID: string, text: string): void;
}

/**
 * Drafts that are stored with the tab, so that they survive a reload. If storage is refused, they last as
 * long as the page.
 */
export function tabDrafts(storage: () => Storage = () => sessionStorage): Drafts {
  const held = new Map<string, string>();
  return {
    get(sessionID) {
      try {
        return held.get(sessionID) ?? storage().getItem(PREFIX + sessionID) ?? '';
      } catch {
        return held.get(sessionID) ?? '';
      }
    },
    set(sessionID, text) {
      held.set(sessionID, text);
      try {
        if (text === '') storage().removeItem(PREFIX + sessionID);
        else storage().setItem(PREFIX + sessionID, text);
      } catch {
        // If storage is refused or full, `held` keeps the text for this page.
      }
    },
  };
}
