import type { Unlisten } from '../../../base/listeners.ts';
import type { Servers } from '../../../workspace/workspace.ts';
import type { Layout } from '../../state/layout.svelte.ts';
import type { Toasts } from '../../state/toasts.svelte.ts';
import { previewWords as words } from './words.ts';

/** Tells the person of a server that starts while its page is not shown, and offers to show it. */
export function noticeServers(
  servers: Servers,
  page: { readonly layout: Layout; readonly toasts: Toasts; isShown(): boolean },
): Unlisten {
  let known = new Set(servers.list().map(({ port }) => port));
  return servers.onChange(() => {
    const ports = servers.list().map(({ port }) => port);
    const started = ports.find((port) => !known.has(port));
    known = new Set(ports);
    if (started === undefined || page.isShown()) return;
    const action = { title: words.showServer, run: () => page.layout.show('preview') };
    page.toasts.show(words.serverStarted(started), { action });
  });
}
