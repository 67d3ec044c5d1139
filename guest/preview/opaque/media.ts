import type { Resources } from './resources.ts';

const SELECTOR = 'img[src],source[src],video[src],audio[src]';

/** Whether {@link followMedia} loads what the browser has refused: it looks for it at the frame's own address. */
export function isFollowed(url: string, directive: string): boolean {
  const isMedia = directive === 'img-src' || directive === 'media-src';
  return isMedia && URL.canParse(url) && new URL(url).host === location.host;
}

/** Gives pictures that scripts add later an address that can be loaded in here. */
export function followMedia(resources: Resources, path: () => string): void {
  const load = async (element: Element) => {
    const url = element.getAttribute('src') ?? '';
    if (url === '' || /^(blob|data):/.test(url)) return;
    const address = await resources.address(url, path(), 'image');
    if (address !== url && element.getAttribute('src') === url) element.setAttribute('src', address);
  };
  const look = (node: Node) => {
    if (!(node instanceof Element)) return;
    for (const element of [node, ...node.querySelectorAll(SELECTOR)])
      if (element.matches(SELECTOR)) void load(element);
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes)
      if (type === 'attributes') look(target);
      else addedNodes.forEach(look);
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['src'] });
}
