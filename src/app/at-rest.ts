import type { AppParts } from './app.ts';
import { beginOffline, type OfflineDeps } from './offline/begin.ts';

/** Begins what the first paint does not need, once the page has loaded. */
export async function beginAtRest(
  parts: AppParts,
  deps: Pick<OfflineDeps, 'offline' | 'isAutomation' | 'settings' | 'scriptAddress'>,
): Promise<void> {
  // The browser's own agent is there in few browsers, so the others do not load what it is offered.
  if ('modelContext' in document) void offerTools(parts, document.modelContext);
  await beginOffline({
    ...deps,
    link: new URLSearchParams(location.search).get('offline'),
    isBusy: () => parts.sessions.live().some(({ state }) => state.turn !== null),
  });
}

async function offerTools(parts: AppParts, context: unknown): Promise<void> {
  const { offerToBrowser } = await import('./offered-to-browser.ts');
  await offerToBrowser(parts, context);
}
