/*
 * The elements of a page as a person sees them: what is in open shadow roots, and in frames of the same origin, belongs to it. A
 * frame's elements are of classes of its own, so nothing here asks with `instanceof`.
 */

type Root = Element | ShadowRoot;

/** The shadow root of an element, or the page in a frame: a person sees it in the element, although it is no child of it. */
function insideOf(element: Element): Root | undefined {
  if (element.shadowRoot) return element.shadowRoot;
  if (element.localName !== 'iframe') return undefined;
  try {
    return (element as HTMLIFrameElement).contentDocument?.body ?? undefined;
  } catch {
    return undefined;
  }
}

/** The open shadow roots of the page, at any depth. */
export function shadowRootsIn(tree: Document | ShadowRoot = document): readonly ShadowRoot[] {
  const roots = [...tree.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  return [...roots, ...roots.flatMap((root) => shadowRootsIn(root))];
}

/** The element in which this one is, across the edges of shadow roots and frames. */
export function outerOf(element: Element): Element | undefined {
  const { parentElement, ownerDocument } = element;
  const root = element.getRootNode();
  if (element !== ownerDocument.body && parentElement) return parentElement;
  if ('host' in root) return root.host as Element;
  return ownerDocument === document ? undefined : (ownerDocument.defaultView?.frameElement ?? undefined);
}

/** The innermost element at a place in view. */
export function elementAt(x: number, y: number, tree: Document | ShadowRoot = document): Element | undefined {
  const element = tree.elementFromPoint(x, y);
  const inside = element ? insideOf(element) : undefined;
  if (!element || !inside || element === (tree as Partial<ShadowRoot>).host) return element ?? undefined;
  if ('host' in inside) return elementAt(x, y, inside) ?? element;
  const { left, top } = cornerOf(element);
  return elementAt(x - left, y - top, inside.ownerDocument) ?? element;
}

/** Where the page in a frame begins, inside of the frame's border and padding. */
function cornerOf(frame: Element): { readonly left: number; readonly top: number } {
  const { left, top } = frame.getBoundingClientRect();
  const { paddingLeft, paddingTop } = getComputedStyle(frame);
  return {
    left: left + frame.clientLeft + Number.parseFloat(paddingLeft),
    top: top + frame.clientTop + Number.parseFloat(paddingTop),
  };
}

/** Where an element is in view, as the outermost page counts. */
export function placeOf(element: Element): DOMRect {
  let { x, y } = element.getBoundingClientRect();
  const { width, height } = element.getBoundingClientRect();
  let at = element.ownerDocument;
  while (at !== document) {
    const frame = at.defaultView?.frameElement;
    if (!frame) break;
    const { left, top } = cornerOf(frame);
    x += left;
    y += top;
    at = frame.ownerDocument;
  }
  return new DOMRect(x, y, width, height);
}

export function firstIn(root: Root = document.body): Element | undefined {
  return element(walkerOf(root).nextNode());
}

/** The first element in this one, whichever way it is in it. */
export function innerOf(within: Element): Element | undefined {
  const inside = insideOf(within);
  return (inside && firstIn(inside)) ?? firstIn(within);
}

export function nextOf(from: Element): Element | undefined {
  const inside = insideOf(from);
  const first = inside && firstIn(inside);
  if (first) return first;
  for (let at: Element | undefined = from; at; at = hostOf(at)) {
    const next = step(at, 'nextNode');
    if (next) return next;
  }
  return undefined;
}

export function previousOf(from: Element): Element | undefined {
  const before = step(from, 'previousNode');
  return before ? lastIn(before) : hostOf(from);
}

/** The last element in the shadow root or frame of this one, or itself where there is none. */
function lastIn(within: Element): Element {
  const inside = insideOf(within);
  const walker = inside && walkerOf(inside);
  let last: Element | undefined;
  while (walker?.lastChild()) last = element(walker.currentNode);
  return last ? lastIn(last) : within;
}

function step(from: Element, way: 'nextNode' | 'previousNode'): Element | undefined {
  const walker = walkerOf(rootOf(from));
  walker.currentNode = from;
  return element(walker[way]());
}

/** The element that has the shadow root or the frame in which this one is; undefined where it is in the page itself. */
function hostOf(at: Element): Element | undefined {
  const root = rootOf(at);
  return 'host' in root ? root.host : outerOf(root);
}

function rootOf(at: Element): Root {
  const root = at.getRootNode();
  return 'host' in root ? (root as ShadowRoot) : at.ownerDocument.body;
}

function element(node: Node | null): Element | undefined {
  return (node as Element | null) ?? undefined;
}

/** The elements that are to be seen, in the order of the page. */
function walkerOf(root: Root): TreeWalker {
  return root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_ELEMENT, (node) => {
    const each = node as Element;
    // An element that is displayed by its children alone has no box, so it counts as invisible.
    if (!each.checkVisibility() && getComputedStyle(each).display !== 'contents')
      return NodeFilter.FILTER_REJECT;
    const { width, height } = each.getBoundingClientRect();
    return width > 0 && height > 0 ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP;
  });
}
