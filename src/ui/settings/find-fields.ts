/** A setting that a search has found. */
export interface FoundField {
  /** The page that it is on, as its element names it. */
  readonly page: string;
  readonly label: string;
  readonly hint: string;
  /** The element to show and to focus. */
  readonly element: HTMLElement;
}

/**
 * Finds the settings below `root` whose name, description, heading or other words have every word of `query`. `also` has the
 * other words by name. All pages are in the document, so no list of fields has to be kept beside them.
 */
export function findFields(
  root: HTMLElement,
  query: string,
  also: ReadonlyMap<string, string> = new Map(),
): readonly FoundField[] {
  const sought = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (sought.length === 0) return [];
  const found: FoundField[] = [];
  for (const page of root.querySelectorAll<HTMLElement>('[data-page]'))
    for (const named of page.querySelectorAll<HTMLElement>('label, legend, h3')) {
      const label = ownText(named);
      if (isChoice(named) || isHeadingOf(named, label)) continue;
      const heading = named.closest('section')?.querySelector('h3')?.textContent ?? '';
      const hint = hintOf(named);
      const text = `${label} ${heading} ${hint} ${also.get(label) ?? ''}`.toLowerCase();
      if (label === '' || !sought.every((word) => text.includes(word))) continue;
      found.push({ page: page.dataset['page'] ?? '', label, hint, element: controlOf(named) });
    }
  return found;
}

/** The text of a label without that of the control in it, such as the options of a list. */
function ownText(named: HTMLElement): string {
  return [...named.childNodes]
    .flatMap((node) => (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : []))
    .join(' ')
    .trim();
}

/** Whether this names one of the choices of a group, which the search finds by its legend. */
function isChoice(named: HTMLElement): boolean {
  return named.matches('label') && named.closest('fieldset') !== null;
}

/** Whether this is the heading of a section that has a field of the same name. */
function isHeadingOf(named: HTMLElement, label: string): boolean {
  const fields = named.matches('h3') ? named.closest('section')?.querySelectorAll<HTMLElement>('label') : [];
  return [...(fields ?? [])].some((field) => ownText(field) === label);
}

function hintOf(named: HTMLElement): string {
  const owner = named.matches('legend') ? named.parentElement : controlOf(named);
  const ids = owner?.getAttribute('aria-describedby')?.split(' ') ?? [];
  const described = ids.map((id) => document.getElementById(id)?.textContent?.trim() ?? '').join(' ');
  const next = named.nextElementSibling;
  return described || (next?.matches('.hint') ? (next.textContent?.trim() ?? '') : '');
}

function controlOf(named: HTMLElement): HTMLElement {
  const control = named.matches('h3')
    ? null
    : (named.matches('legend') ? named.parentElement : named)?.querySelector<HTMLElement>(
        'input:not([hidden]), select, textarea',
      );
  return control ?? named;
}
