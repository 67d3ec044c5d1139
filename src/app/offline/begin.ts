import { messageOf } from '../../base/message-of.ts';
import type { SettingsStore } from '../../base/settings-store.ts';
import { pageBuild } from '../../base/page-build.ts';
import type { Kept } from '../../offline/store.ts';
import { decideOffline, offlineOffBySite } from './decide.ts';
import { isolationStep, reloadGuard } from './isolation.ts';
import type { Offline } from './offline.ts';
import { removeOffline } from './remove.ts';
import { ask } from './worker-link.ts';

const SETTING = 'offline.off';

/** How long after the page was loaded the first download begins, and how often it looks whether the page is at rest. */
const QUIET_MS = 3_000;
/** How often a page that stays open looks for a new version. */
const CHECK_MS = 60 * 60 * 1000;

export interface OfflineDeps {
  readonly offline: Offline;
  /** The parameter `offline` of the link. */
  readonly link: string | null;
  readonly isAutomation: boolean;
  readonly settings: SettingsStore;
  /** Whether a turn runs. */
  readonly isBusy: () => boolean;
  /** The address of a script of ours, as the browser takes it for a worker. */
  readonly scriptAddress: (url: URL) => string;
}

/** Registers the worker where this page should have one, and keeps the shown state up to date. */
export async function beginOffline(deps: OfflineDeps): Promise<void> {
  const { offline, link, isAutomation, settings } = deps;
  const driver = new Driver(deps);
  offline.setActions(driver);
  const decision = decideOffline({
    build: pageBuild(),
    link,
    isAutomation,
    isOffBySite: offlineOffBySite(document),
    isOffByPerson: (await settings.get(SETTING)) === true,
    isSecure: isSecureContext,
    hasWorkers: 'serviceWorker' in navigator,
  });
  if (decision.use) return driver.start();
  offline.set({ status: 'none', whyNone: decision.why });
  if (decision.remove) await driver.remove();
}

class Driver {
  readonly #deps: OfflineDeps;
  readonly #scope = new URL('./', document.baseURI);
  #registration: ServiceWorkerRegistration | undefined;

  constructor(deps: OfflineDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    const { offline } = this.#deps;
    const workers = navigator.serviceWorker;
    // Where the host isolates the page, nothing is urgent.
    if (crossOriginIsolated) await this.#quiet();
    try {
      const url = this.#deps.scriptAddress(new URL('sw.js', this.#scope));
      const options = { scope: this.#scope.pathname, updateViaCache: 'none' } as const;
      // Tools that block workers resolve with nothing.
      const registration: ServiceWorkerRegistration | undefined = await workers.register(url, options);
      if (!registration) throw new Error('The browser registered no service worker.');
      this.#registration = registration;
    } catch (error) {
      return offline.set({ status: 'none', whyNone: 'refused', problem: messageOf(error) });
    }
    workers.addEventListener('controllerchange', () => void this.#changed());
    this.#watchForNewer();
    await workers.ready;
    this.#isolate();
    if (!crossOriginIsolated) await this.#quiet();
    if (isSavingData()) await this.#report('saving-data');
    else this.download();
  }

  download(): void {
    void this.#download();
  }

  async setAllowed(isAllowed: boolean): Promise<void> {
    const { offline, settings } = this.#deps;
    await settings.set(SETTING, !isAllowed);
    if (isAllowed) {
      offline.set({ status: 'starting' });
      return this.start();
    }
    offline.set({ status: 'none', whyNone: 'person', works: false, bytes: 0 });
    await this.remove();
  }

  async remove(): Promise<void> {
    await removeOffline(this.#scope.href, navigator.serviceWorker, caches);
  }

  async #download(): Promise<void> {
    const { offline } = this.#deps;
    offline.set({ status: 'downloading' });
    try {
      this.#show(await ask(this.#worker, { kind: 'download' }, (kept) => this.#show(kept)), 'complete');
    } catch (error) {
      offline.set({ status: 'failed', problem: messageOf(error) });
    }
  }

  async #report(status: 'saving-data'): Promise<void> {
    const kept = await ask(this.#worker, { kind: 'kept' });
    this.#show(kept, kept.bytes === kept.ofBytes ? 'complete' : status);
  }

  #show({ bytes, ofBytes, works }: Kept, status?: 'complete' | 'saving-data'): void {
    this.#deps.offline.set({ bytes, ofBytes, works, ...(status && { status }) });
  }

  /** Another worker has taken over: of a newer build, unless it is this page's first. */
  async #changed(): Promise<void> {
    const kept = await ask(this.#worker, { kind: 'kept' }).catch(() => null);
    if (kept && kept.build !== pageBuild()) this.#deps.offline.set({ isNewer: true });
  }

  #isolate(): void {
    const guard = reloadGuard(() => sessionStorage);
    const step = isolationStep({
      isIsolated: crossOriginIsolated,
      cameFromWorker: this.#deps.offline.state.isFromWorker,
      wasReloaded: guard.wasReloaded(),
      isInUse: (navigator.userActivation?.hasBeenActive ?? true) || this.#deps.isBusy(),
    });
    if (step === 'reload' && guard.remember()) location.reload();
    else if (step !== 'none') this.#deps.offline.set({ needsReload: true });
  }

  #watchForNewer(): void {
    let checked = performance.now();
    const check = () => {
      if (performance.now() - checked < CHECK_MS) return;
      checked = performance.now();
      // Without a network there is nothing to find.
      void this.#registration?.update().catch(() => undefined);
    };
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') check();
    });
    setInterval(check, CHECK_MS);
  }

  /** Resolves when the page has been at rest for a moment, so that a first visit is not made slower. */
  async #quiet(): Promise<void> {
    // The page's own timer, which the browser slows down in a hidden tab: nothing is urgent.
    do {
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    } while (this.#deps.isBusy());
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in globalThis)
      await new Promise((resolve) => requestIdleCallback(resolve, { timeout: QUIET_MS }));
  }

  readonly #worker = () => navigator.serviceWorker.controller ?? this.#registration?.active ?? null;
}

function isSavingData(): boolean {
  return 'connection' in navigator && Reflect.get(Object(navigator.connection), 'saveData') === true;
}
