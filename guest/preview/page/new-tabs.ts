import type { FromPage } from '../../../src/protocol/preview.ts';

/** The names of windows that are there already; any other one is a new tab. */
const PRESENT = new Set(['', '_self', '_parent', '_top']);

/** Returns the link that was clicked, also one in a shadow root. */
export const linkOf = (event: Event): HTMLAnchorElement | undefined =>
  event.composedPath().find((each) => each instanceof HTMLAnchorElement);

/**
 * Says in the preview's console what a page wanted to open in a new tab, because the sandbox refuses that without a word.
 * `isFollowed` knows the links that are shown in the preview all the same.
 */
export function reportNewTabs(
  say: (message: FromPage) => void,
  isFollowed: (link: HTMLAnchorElement) => boolean = () => false,
): void {
  const report = (url: string) =>
    say({
      kind: 'console',
      level: 'warn',
      text: `${ownPath(url)} would open in a new tab, which pages in the preview cannot do`,
      source: '',
    });
  addEventListener('click', (event) => {
    const link = linkOf(event);
    if (event.defaultPrevented || !link?.href || PRESENT.has(link.target.toLowerCase())) return;
    if (!isFollowed(link)) report(link.href);
  });
  const open = window.open.bind(window);
  window.open = (url, ...rest) => {
    const opened = open(url, ...rest);
    if (!opened) report(String(url ?? 'about:blank'));
    return opened;
  };
}

/** A page knows itself as a server's, whose address is not that of the preview. */
function ownPath(address: string): string {
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : undefined;
  return url?.origin === location.origin ? url.pathname + url.search + url.hash : address;
}
