import { finder } from '@medv/finder';
import { LONGEST_PICKED_TEXT, type PickedElement } from '../../../src/protocol/preview.ts';
import { nameOf, roleOf } from './roles.ts';
import { outerOf } from './whole-tree.ts';

/** How many characters of an attribute are told: pictures may stand in one. */
const LONGEST_ATTRIBUTE = 120;
/** How many characters of what is in an element are told as HTML. */
const LONGEST_INNER = 400;
/** How long the search for a short selector may take, in milliseconds. */
const SELECTOR_MS = 300;

/** Describes an element for somebody who knows the page's source. */
export function describePicked(element: Element): PickedElement {
  const role = roleOf(element) ?? '';
  return {
    selector: cut(selectorOf(element)),
    role: cut(role),
    name: cut(nameOf(element, role).replace(/\s+/g, ' ').trim()),
    text: textOf(element),
    html: htmlOf(element),
    source: cut(sourceOf(element)),
  };
}

/** Where a selector does not reach, into a shadow root or a frame, another one follows behind `>>>`. */
function selectorOf(element: Element): string {
  const root = element.getRootNode();
  if (root !== document) {
    const host = 'host' in root ? (root.host as Element) : element.ownerDocument.defaultView?.frameElement;
    return host ? `${selectorOf(host)} >>> ${pathTo(element)}` : pathTo(element);
  }
  try {
    return finder(element, { timeoutMs: SELECTOR_MS });
  } catch {
    // The page is too large for a search, so the way to it from the outermost element has to do.
    return pathTo(element);
  }
}

function pathTo(element: Element): string {
  const steps: string[] = [];
  for (let each: Element | null = element; each; each = each.parentElement) {
    const siblings = [...(each.parentElement?.children ?? [])].filter(
      ({ localName }) => localName === each?.localName,
    );
    const nth = siblings.length > 1 ? `:nth-of-type(${siblings.indexOf(each) + 1})` : '';
    steps.unshift(CSS.escape(each.localName) + nth);
  }
  return steps.join(' > ');
}

/** Returns the beginning of an element's text. A page may be of any size, so no more of it is read than is needed. */
function textOf(element: Element): string {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let text = '';
  while (text.length < LONGEST_PICKED_TEXT && walker.nextNode()) {
    const { parentElement, nodeValue } = walker.currentNode;
    if (!parentElement?.matches('script, style, noscript')) text += ` ${nodeValue ?? ''}`;
    text = text.replace(/\s+/g, ' ');
  }
  return cut(text.trim());
}

/** Writes the element's tag anew, because a copy of an element of the page's own class would run the page's code. */
function htmlOf(element: Element): string {
  // A form has a field of the name `attributes` in the place of that member.
  const attributes = element.getAttributeNames().map((name) => {
    const value = element.getAttribute(name) ?? '';
    const short = value.length > LONGEST_ATTRIBUTE ? `${value.slice(0, LONGEST_ATTRIBUTE)}…` : value;
    return ` ${name}="${short.replaceAll('"', '&quot;')}"`;
  });
  const { localName } = element;
  const inner = element.childElementCount > 20 ? '' : element.innerHTML.trim();
  const shown = inner.length > LONGEST_INNER || element.childElementCount > 20 ? '…' : inner;
  return cut(`<${localName}${attributes.join('')}>${shown}</${localName}>`);
}

/** Frameworks leave marks on elements while they are developed with. */
function sourceOf(element: Element): string {
  for (let each: Element | undefined = element; each; each = outerOf(each)) {
    const found = attributeSource(each) ?? svelteSource(each) ?? reactSource(each) ?? vueSource(each);
    if (found) return found.replace(location.origin, '');
  }
  return '';
}

function attributeSource(element: Element): string | undefined {
  const astro = element.getAttribute('data-astro-source-file');
  if (astro) return `${astro}:${element.getAttribute('data-astro-source-loc') ?? ''}`;
  return element.getAttribute('data-v-inspector') ?? undefined;
}

function svelteSource(element: Element): string | undefined {
  const place = member(member(element, '__svelte_meta'), 'loc');
  return placeOf(member(place, 'file'), member(place, 'line'), member(place, 'column'));
}

/** React up to 18 names the source of each element. */
function reactSource(element: Element): string | undefined {
  const key = Object.keys(element).find((each) => each.startsWith('__reactFiber$'));
  const place = key === undefined ? undefined : member(member(element, key), '_debugSource');
  return placeOf(member(place, 'fileName'), member(place, 'lineNumber'), member(place, 'columnNumber'));
}

function vueSource(element: Element): string | undefined {
  return placeOf(member(member(member(element, '__vueParentComponent'), 'type'), '__file'));
}

function member(owner: unknown, name: string): unknown {
  return typeof owner === 'object' && owner !== null ? Reflect.get(owner, name) : undefined;
}

function placeOf(file: unknown, line?: unknown, column?: unknown): string | undefined {
  if (typeof file !== 'string' || file === '') return undefined;
  return [file, line, column]
    .filter((each) => typeof each === 'string' || typeof each === 'number')
    .join(':');
}

function cut(text: string): string {
  return text.length > LONGEST_PICKED_TEXT ? `${text.slice(0, LONGEST_PICKED_TEXT - 1)}…` : text;
}
