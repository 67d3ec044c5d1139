export interface Attributes {
  readonly class?: string;
  readonly [name: string]: string | number | boolean | ((event: Event) => void) | undefined;
}

/**
 * Creates an element. Texts become text nodes and functions listeners, so nothing of a recording can become markup or script.
 * Addresses are checked by whoever gives them.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string | null | false)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== undefined && value !== false) made.setAttribute(key, String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== false));
  return made;
}

/** Makes the children of `parent` these, and leaves those that are in place where they are. */
export function place(parent: Element, children: readonly Node[]): void {
  const wanted = new Set(children);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  for (const [index, child] of children.entries())
    if (parent.childNodes[index] !== child) parent.insertBefore(child, parent.childNodes[index] ?? null);
}
