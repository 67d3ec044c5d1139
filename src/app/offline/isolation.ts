/** The facts that decide whether the page is reloaded, so that its worker can isolate it. */
export interface IsolationFacts {
  readonly isIsolated: boolean;
  /** Whether the page began with an answer of the worker. */
  readonly cameFromWorker: boolean;
  /** Whether this tab was reloaded for it before; null if the browser refuses to remember. */
  readonly wasReloaded: boolean | null;
  /** Whether the person has clicked or typed, or something runs. */
  readonly isInUse: boolean;
}

/**
 * `reload`: by itself, since nothing can be lost. `offer`: the person decides. `none`: there is nothing to do, or the reload did
 * not help and must not be repeated.
 */
export function isolationStep(facts: IsolationFacts): 'none' | 'reload' | 'offer' {
  if (facts.isIsolated || facts.cameFromWorker) return 'none';
  if (facts.wasReloaded === false && !facts.isInUse) return 'reload';
  return 'offer';
}

const KEY = 'vitrine.isolation';

/** Remembers in the tab that it was reloaded; null if the browser refuses. */
export function reloadGuard(storage: () => Pick<Storage, 'getItem' | 'setItem'>) {
  return {
    wasReloaded(): boolean | null {
      try {
        return storage().getItem(KEY) !== null;
      } catch {
        return null;
      }
    },
    /** Returns false if it could not be remembered, in which case the page must not reload by itself. */
    remember(): boolean {
      try {
        storage().setItem(KEY, 'reloaded');
        return true;
      } catch {
        return false;
      }
    },
  };
}
