import type { OfflineState, WhyNone } from '../../../offline/state.ts';
import { messages } from '../../languages/messages.ts';

/** Texts about working offline, new versions, and isolation by the service worker. */
export const offlineWords = messages('offline', {
  newer: 'A new version is ready.',
  newerText: 'Reload to use it. Sessions and drafts are kept.',
  newerWorking: 'The agent is still working, and a reload stops its turn. Sessions and drafts are kept.',
  reload: 'Reload',
  later: 'Later',
  needsReload: 'node needs one reload.',
  needsReloadText:
    'This host does not send the headers that node needs. After a reload the page adds them itself. Sessions and drafts are kept.',

  allow: 'Keep Vitrine in this browser for offline use',
  starting: 'The page has just been opened.',
  works: 'Works offline.',
  complete: (size: string) => `Works offline: ${size} are kept in this browser.`,
  downloading: (kept: string, all: string) => `Downloading for offline use: ${kept} of ${all}.`,
  downloadingRest: (kept: string, all: string) =>
    `Works offline. Still downloading what is rarely used: ${kept} of ${all}.`,
  savingData: (kept: string, all: string) =>
    `Nothing is downloaded for offline use, because this browser is set to save data. ${kept} of ${all} are kept.`,
  failed: (problem: string) => `The download for offline use failed: ${problem}`,
  download: 'Download now',
  again: 'Try again',
  whyNone: {
    insecure: 'Does not work offline: the page was not loaded over https.',
    unsupported:
      'Does not work offline: this browser has no service workers here. Private windows may have none.',
    site: 'Does not work offline: the owner of this site has switched it off.',
    person: 'Does not work offline: it is switched off.',
    link: 'Does not work offline: the page was opened without it.',
    refused: 'Does not work offline: the browser refused the service worker.',
  } satisfies Record<WhyNone, string>,

  /** Names the headers that the host does not send where the page is not isolated. */
  nodeIsOff:
    'node is off, and custom tools and plugins with it, because the page is not cross-origin isolated. Its server must send Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp with every file.',
  /** Why the service worker does not add the headers that `node` needs. */
  notIsolated: {
    insecure: 'Over https the page could add them itself.',
    unsupported: 'The page could add them itself, but this browser has no service workers here.',
    site: 'The page could add them itself, but the owner of this site has switched that off.',
    person: 'The page adds them itself if “Keep Vitrine in this browser for offline use” is on in Settings.',
    link: 'The page could add them itself, but was opened without its service worker.',
    refused: 'The page could add them itself, but the browser refused its service worker.',
  } satisfies Record<WhyNone, string>,
  notIsolatedStarting: 'The page is about to add them itself.',
  notIsolatedReload: 'Reload the page: then it adds them itself.',
  notIsolatedAnyway: 'The page has added them itself, but this browser does not isolate it anyway.',
});

/** Why the page is not isolated: what its host is missing, and why its service worker does not help. */
export function whyNotIsolated(state: OfflineState): string {
  return `${offlineWords.nodeIsOff} ${whyNoHelp(state)}`;
}

function whyNoHelp({ status, whyNone, needsReload, isFromWorker }: OfflineState): string {
  if (whyNone) return offlineWords.notIsolated[whyNone];
  if (needsReload) return offlineWords.notIsolatedReload;
  if (isFromWorker) return offlineWords.notIsolatedAnyway;
  return status === 'starting' ? offlineWords.notIsolatedStarting : offlineWords.notIsolatedReload;
}
