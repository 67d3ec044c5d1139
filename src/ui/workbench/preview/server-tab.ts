import { timeoutTimer } from '../../../base/timer.ts';
import { openOwnTab } from '../../../preview/own-tab.ts';

/**
 * The preview is another site, which needs its scripts and its service worker. It may open no window, ask for no permission and
 * navigate nowhere else.
 */
export const SERVER_SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-pointer-lock';

/**
 * Shows what a server of a WebContainer serves in a tab of its own. Opened by its address alone, it could not reach the container,
 * because browsers keep apart what the same site has stored below another one. Returns false where the browser opens no tab.
 */
export function openServerTab(address: string, title: string): boolean {
  const fill = () => {
    if (!tab?.container) return;
    const frame = tab.container.ownerDocument.createElement('iframe');
    frame.setAttribute('sandbox', SERVER_SANDBOX);
    frame.allow = 'cross-origin-isolated';
    frame.title = title;
    frame.src = address;
    tab.container.replaceChildren(frame);
    tab.show({ title, size: null, host: { element: frame } });
  };
  const tab = openOwnTab(window, timeoutTimer, { ready: fill, closed: () => {} });
  return tab !== null;
}
