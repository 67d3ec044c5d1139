import type { AppParts } from './app.ts';
import { beginOffline, type OfflineDeps } from './offline/begin.ts';

/** Begins what the first paint does not need, once the page has loaded. */
export async function beginAtRest(
  parts: AppParts,
  deps: Pick<OfflineDeps, 'offline' | 'isAutomation' | 'settings' | 'scriptAddress'>,
): Promise<void> {
  // Not to every visitor's browser: text of another page that misleads its agent would reach ours, too (docs/security.md).
  if (deps.isAutomation && 'modelContext' in document) void offerTools(parts, document.modelContext);
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
