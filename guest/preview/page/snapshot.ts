import { nameOf, roleOf, TEXT_NAMED } from './roles.ts';
import type { Refs } from './refs.ts';

const MOST_LINES = 2_000;

/**
 * Describes the page as assistive technology sees it: one line for each element with a role, with its name, its state and,
 * where something can be done with it, a ref. Text stands where it is.
 */
export function snapshotOf(root: Element, refs: Refs): string {
  const lines: string[] = [];
  describe(root, 0, lines, refs);
  if (lines.length > MOST_LINES) lines.splice(MOST_LINES, Infinity, '- (the rest of the page is left out)');
  return lines.join('\n');
}

function describe(element: Element, depth: number, lines: string[], refs: Refs): void {
  if (lines.length > MOST_LINES || isHidden(element)) return;
  const role = roleOf(element);
  if (role === undefined) return describeChildren(element, depth, lines, refs);
  const name = nameOf(element, role);
  const isNamedByText = TEXT_NAMED.has(role) && !element.querySelector(INTERACTIVE);
  const before = lines.length;
  lines.push('');
  if (!isNamedByText && element.localName !== 'select') describeChildren(element, depth + 1, lines, refs);
  const hasChildren = lines.length > before + 1;
  const value = valueOf(element);
  const ends = value !== undefined ? `: ${quoted(value)}` : hasChildren ? ':' : '';
  const parts = [role, ...(name ? [quoted(name)] : []), ...statesOf(element, role), ...refOf(element, refs)];
  lines[before] = `${'  '.repeat(depth)}- ${parts.join(' ')}${ends}`;
  if (GROUPING.has(role) && !name && !hasChildren && value === undefined) lines.splice(before, 1);
}

function describeChildren(element: Element, depth: number, lines: string[], refs: Refs): void {
  let text = '';
  const flush = () => {
    const shown = text.replace(/\s+/g, ' ').trim();
    if (shown) lines.push(`${'  '.repeat(depth)}- text: ${shown.slice(0, 2_000)}`);
    text = '';
  };
  for (const child of (element.shadowRoot ?? element).childNodes) {
    if (child instanceof Text) text += child.data;
    if (!(child instanceof Element)) continue;
    if (INLINE.has(child.localName) && !child.querySelector(INTERACTIVE) && !isHidden(child)) {
      text += ` ${child.textContent}`;
      continue;
    }
    flush();
    describe(child, depth, lines, refs);
  }
  flush();
}

const INTERACTIVE =
  'a[href],button,input,select,textarea,summary,img[alt],[role],[tabindex],[contenteditable=""],[contenteditable=true],[onclick]';
const INLINE = new Set([
  'b',
  'i',
  'em',
  'strong',
  'span',
  'code',
  'small',
  'mark',
  'u',
  's',
  'sub',
  'sup',
  'abbr',
  'time',
  'kbd',
]);
const GROUPING = new Set(['generic', 'group', 'paragraph', 'listitem', 'list', 'form', 'region']);

function refOf(element: Element, refs: Refs): string[] {
  const acts =
    element.matches(INTERACTIVE) ||
    (element instanceof HTMLElement &&
      (element.isContentEditable || getComputedStyle(element).cursor === 'pointer'));
  return acts ? [`[ref=${refs.of(element)}]`] : [];
}

function statesOf(element: Element, role: string): string[] {
  const states: string[] = [];
  if (role === 'heading')
    states.push(`[level=${element.getAttribute('aria-level') ?? element.localName.slice(1)}]`);
  if (element instanceof HTMLInputElement && element.checked) states.push('[checked]');
  if (element.getAttribute('aria-checked') === 'true') states.push('[checked]');
  if (element.matches(':disabled') || element.getAttribute('aria-disabled') === 'true')
    states.push('[disabled]');
  if (
    element.getAttribute('aria-expanded') === 'true' ||
    (element instanceof HTMLDetailsElement && element.open)
  )
    states.push('[expanded]');
  if (element.getAttribute('aria-selected') === 'true') states.push('[selected]');
  if (element.getAttribute('aria-pressed') === 'true') states.push('[pressed]');
  if (element === document.activeElement && element !== document.body) states.push('[focused]');
  if (element.matches(':user-invalid') || element.getAttribute('aria-invalid') === 'true')
    states.push('[invalid]');
  return states;
}

/** The content of a field. Passwords stay out of it. */
function valueOf(element: Element): string | undefined {
  if (element instanceof HTMLSelectElement)
    return [...element.selectedOptions].map(({ label }) => label).join(', ');
  if (element instanceof HTMLTextAreaElement) return element.value || undefined;
  if (!(element instanceof HTMLInputElement)) return undefined;
  if (['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'hidden'].includes(element.type))
    return undefined;
  return element.type === 'password'
    ? '•'.repeat(element.value.length) || undefined
    : element.value || undefined;
}

export function isHidden(element: Element): boolean {
  if (NOT_SHOWN.has(element.localName) || element.getAttribute('aria-hidden') === 'true') return true;
  return !element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false });
}

const NOT_SHOWN = new Set(['script', 'style', 'template', 'noscript', 'head', 'link', 'meta']);

function quoted(text: string): string {
  return JSON.stringify(text.replace(/\s+/g, ' ').trim().slice(0, 500));
}
