import { SHELL_PATH, type FromPage } from '../../../src/protocol/preview.ts';
import { AppLink } from './link.ts';
import { reachOwnServers, refuseRtc, refuseWorkers } from './own-servers.ts';
import { reportNewTabs } from './new-tabs.ts';
import { preparePicking } from './pick.ts';
import { reportEvents } from './report.ts';
import { reachSockets } from './socket.ts';

/*
 * The first script of every page in a preview. It tells the app what happens, gives the page the workspace's servers, and does
 * what the agent asks for. The page can undo all of it, because it runs in the page: nothing here protects anything.
 */

refuseWorkers();
refuseRtc();
reachOwnServers();
if (isShown()) begin();

/** Whether this page is the one that the shell shows, and no frame in it. */
function isShown(): boolean {
  try {
    return parent !== window && parent.location.pathname === SHELL_PATH;
  } catch {
    return false;
  }
}

function begin(): void {
  const { port1, port2 } = new MessageChannel();
  const own = document.currentScript;
  const { say } = new AppLink(port1, own?.dataset['cookies'] ?? '');
  own?.remove();
  reportEvents(say);
  reportNewTabs(say);
  preparePicking();
  reachSockets(say);
  followAddress(say);
  addEventListener('pagehide', () => say({ kind: 'left' }));
  parent.postMessage({ vitrine: 'page' }, location.origin, [port2]);
}

function followAddress(say: (message: FromPage) => void): void {
  let loaded = document.readyState === 'complete';
  const tell = () =>
    say({
      kind: 'at',
      target: location.pathname + location.search + location.hash,
      title: document.title,
      loaded,
    });
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name].bind(history);
    history[name] = (...args: Parameters<History['pushState']>) => {
      original(...args);
      tell();
    };
  }
  addEventListener('popstate', tell);
  addEventListener('hashchange', tell);
  addEventListener('load', () => {
    loaded = true;
    tell();
  });
  tell();
}
