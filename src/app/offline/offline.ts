import { Listeners, type Unlisten } from '../../base/listeners.ts';
import { pageBuild } from '../../base/page-build.ts';
import { lockName } from '../../offline/build.ts';
import { STARTING, type AppOffline, type OfflineState } from '../../offline/state.ts';

/** The actions of {@link Offline} that `begin.ts` carries out, which is loaded once the page is there. */
export type OfflineActions = Pick<AppOffline, 'download' | 'setAllowed'>;

/** The state that the page shows; the code behind it is loaded later. */
export class Offline implements AppOffline {
  readonly #changed = new Listeners<void>();
  #state: OfflineState = { ...STARTING, isFromWorker: Boolean(navigator.serviceWorker?.controller) };
  #actions: OfflineActions | undefined;

  get state(): OfflineState {
    return this.#state;
  }

  set(change: Partial<OfflineState>): void {
    this.#state = { ...this.#state, ...change };
    this.#changed.emit();
  }

  setActions(actions: OfflineActions): void {
    this.#actions = actions;
  }

  download(): void {
    this.#actions?.download();
  }

  async setAllowed(isAllowed: boolean): Promise<void> {
    await this.#actions?.setAllowed(isAllowed);
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }
}

/** Says for as long as the page lives that its build is in use, so that the worker does not remove its files. */
export function holdBuild(): void {
  const build = pageBuild();
  const scope = new URL('./', document.baseURI).pathname;
  if (build === '') return;
  void navigator.locks?.request(lockName(scope, build), { mode: 'shared' }, () => new Promise(() => {}));
}

/** Calls back once, after everything that the page begins with was loaded. */
export function afterLoad(start: () => void): void {
  if (document.readyState === 'complete') start();
  else addEventListener('load', start, { once: true });
}
