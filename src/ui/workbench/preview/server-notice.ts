import type { Servers } from '../../../workspace/workspace.ts';
import type { Layout } from '../../state/layout.svelte.ts';
import type { Toasts } from '../../state/toasts.svelte.ts';
import { previewWords as words } from './words.ts';

export interface ServerNotices {
  /** The person sees the preview now, and needs no notices of what is in it. */
  seen(): void;
  stop(): void;
}

/** Tells the person of a server that starts while its page is not shown, and offers to show it. */
export function noticeServers(
  servers: Servers,
  page: {
    readonly layout: Pick<Layout, 'show'>;
    readonly toasts: Pick<Toasts, 'show' | 'dismiss'>;
    isShown(): boolean;
  },
): ServerNotices {
  const notices = new Map<number, number>();
  const dismiss = (port: number) => {
    const notice = notices.get(port);
    if (notice !== undefined) page.toasts.dismiss(notice);
    notices.delete(port);
  };
  let known = new Set(servers.list().map(({ port }) => port));
  const stop = servers.onChange(() => {
    const ports = servers.list().map(({ port }) => port);
    const started = ports.find((port) => !known.has(port));
    known = new Set(ports);
    for (const port of [...notices.keys()]) if (!known.has(port)) dismiss(port);
    if (started === undefined || page.isShown()) return;
    const action = { title: words.showServer, run: () => page.layout.show('preview') };
    notices.set(started, page.toasts.show(words.serverStarted(started), { action }));
  });
  return { stop, seen: () => [...notices.keys()].forEach(dismiss) };
}
