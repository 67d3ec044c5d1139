const BY_TAG: Readonly<Record<string, string>> = {
  article: 'article',
  aside: 'complementary',
  button: 'button',
  dialog: 'dialog',
  details: 'group',
  fieldset: 'group',
  figure: 'figure',
  form: 'form',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  hr: 'separator',
  iframe: 'iframe',
  li: 'listitem',
  main: 'main',
  menu: 'list',
  meter: 'meter',
  nav: 'navigation',
  ol: 'list',
  optgroup: 'group',
  option: 'option',
  output: 'status',
  p: 'paragraph',
  progress: 'progressbar',
  select: 'combobox',
  summary: 'button',
  table: 'table',
  tbody: 'rowgroup',
  td: 'cell',
  textarea: 'textbox',
  tfoot: 'rowgroup',
  th: 'columnheader',
  thead: 'rowgroup',
  tr: 'row',
  ul: 'list',
  canvas: 'canvas',
  video: 'video',
  audio: 'audio',
};

const BY_TYPE: Readonly<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  file: 'button',
  image: 'button',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
};

const isInput = (element: Element): element is HTMLInputElement => element.localName === 'input';

/** The role of an element, as WAI-ARIA and HTML's mapping to it say; `undefined` where it only groups. */
export function roleOf(element: Element): string | undefined {
  const given = element.getAttribute('role')?.trim().split(/\s+/)[0];
  if (given === 'none' || given === 'presentation') return undefined;
  if (given) return given;
  const { localName } = element;
  if (isInput(element)) return BY_TYPE[element.type] ?? 'textbox';
  if (localName === 'a') return element.hasAttribute('href') ? 'link' : undefined;
  if (localName === 'img') return element.getAttribute('alt') === '' ? undefined : 'img';
  if (localName === 'svg')
    return element.hasAttribute('aria-label') || element.querySelector('title') ? 'img' : undefined;
  if (localName === 'header' || localName === 'footer') {
    if (element.closest('article,aside,main,nav,section')) return undefined;
    return localName === 'header' ? 'banner' : 'contentinfo';
  }
  if (localName === 'section')
    return element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby')
      ? 'region'
      : undefined;
  // Elements of a frame are of its own classes.
  const { isContentEditable, parentElement } = element as HTMLElement;
  if (isContentEditable && !parentElement?.isContentEditable) return 'textbox';
  const role = BY_TAG[localName];
  if (role) return role;
  return element.hasAttribute('tabindex') || element.hasAttribute('onclick') ? 'generic' : undefined;
}

/** The roles whose name is all of their text, unless something in it can be acted on by itself. */
export const TEXT_NAMED = new Set([
  'heading',
  'button',
  'link',
  'option',
  'tab',
  'menuitem',
  'cell',
  'columnheader',
  'rowheader',
  'switch',
  'checkbox',
  'radio',
]);

/** The roles that are named by their text where nothing else names them. */
const FROM_CONTENT = new Set([...TEXT_NAMED, 'treeitem', 'generic', 'tooltip']);

/** The accessible name, by the steps of its specification that pages use. */
export function nameOf(element: Element, role: string): string {
  const by = element.getAttribute('aria-labelledby');
  const root = element.getRootNode() as Document | ShadowRoot;
  if (by) {
    const text = by
      .split(/\s+/)
      .map((id) => root.getElementById(id)?.textContent ?? '')
      .join(' ')
      .trim();
    if (text) return text;
  }
  const label = element.getAttribute('aria-label')?.trim();
  if (label) return label;
  if (isInput(element) && ['submit', 'reset', 'button'].includes(element.type))
    return element.value || (element.type === 'button' ? '' : element.type);
  const fromLabels = labelsOf(element)
    .map((each) => withoutFields(each))
    .join(' ')
    .trim();
  if (fromLabels) return fromLabels;
  const own =
    element.getAttribute('alt') ??
    (element.localName === 'fieldset' ? element.querySelector('legend')?.textContent : undefined) ??
    (element.localName === 'table' ? element.querySelector('caption')?.textContent : undefined) ??
    (element.localName === 'svg' ? element.querySelector('title')?.textContent : undefined);
  if (own) return own;
  if (FROM_CONTENT.has(role)) {
    const text = contentOf(element).replace(/\s+/g, ' ').trim();
    if (text) return text;
  }
  return element.getAttribute('title') ?? element.getAttribute('placeholder') ?? '';
}

function labelsOf(element: Element): readonly HTMLLabelElement[] {
  // A form has no labels, but a field of that name stands in their place.
  if (element.localName === 'form' || !('labels' in element)) return [];
  return [...((element.labels as NodeListOf<HTMLLabelElement> | null) ?? [])];
}

/** The text of a label without that of the field in it. */
function withoutFields(label: Element): string {
  const copy = label.cloneNode(true) as Element;
  for (const field of copy.querySelectorAll('input,select,textarea')) field.remove();
  return copy.textContent ?? '';
}

function contentOf(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? '';
  if (node.nodeType !== Node.ELEMENT_NODE) return '';
  const element = node as Element;
  if (element.getAttribute('aria-hidden') === 'true') return '';
  if (element.localName === 'img') return element.getAttribute('alt') ?? '';
  const label = element.getAttribute('aria-label');
  if (label) return label;
  return [...element.childNodes].map(contentOf).join(element.localName === 'div' ? ' ' : '');
}

/** An element in a few words, such as `button "Add"`. */
export function titleOf(element: Element): string {
  const role = roleOf(element) ?? element.localName;
  const name = nameOf(element, role).replace(/\s+/g, ' ').trim().slice(0, 80);
  return name ? `${role} ${JSON.stringify(name)}` : role;
}
