import type { WhyNone } from '../../offline/state.ts';

export interface OfflineFacts {
  /** The build of the page; empty on the development server. */
  readonly build: string;
  /** The parameter `offline` of the link. */
  readonly link: string | null;
  readonly isAutomation: boolean;
  readonly isOffBySite: boolean;
  readonly isOffByPerson: boolean;
  readonly isSecure: boolean;
  readonly hasWorkers: boolean;
}

export type OfflineDecision =
  | { readonly use: true }
  /** `remove`: also a worker that was registered before, with what it keeps. */
  | { readonly use: false; readonly why: WhyNone; readonly remove: boolean };

/** Whether this page registers the service worker. */
export function decideOffline(facts: OfflineFacts): OfflineDecision {
  const none = (why: WhyNone, remove = false): OfflineDecision => ({ use: false, why, remove });
  if (!facts.isSecure) return none('insecure');
  if (!facts.hasWorkers) return none('unsupported');
  if (facts.isOffBySite) return none('site', true);
  if (facts.link === 'off') return none('link', true);
  if (facts.build === '') return none('link');
  if (facts.link === 'on') return { use: true };
  if (facts.isOffByPerson) return none('person', true);
  return facts.isAutomation ? none('link') : { use: true };
}

/** Whether the page's owner has switched the service worker off, in the head of index.html (docs/hosting.md). */
export function offlineOffBySite(page: Document): boolean {
  const meta = page.querySelector<HTMLMetaElement>('meta[name="vitrine-offline"]');
  return meta?.content.trim().toLowerCase() === 'off';
}
