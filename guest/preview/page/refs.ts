/** Short names for elements, which stay the same for as long as the page lives. */
export class Refs {
  readonly #refs = new WeakMap<Element, string>();
  readonly #elements = new Map<string, WeakRef<Element>>();
  #next = 1;

  of(element: Element): string {
    const known = this.#refs.get(element);
    if (known !== undefined) return known;
    const ref = `e${this.#next++}`;
    this.#refs.set(element, ref);
    this.#elements.set(ref, new WeakRef(element));
    return ref;
  }

  /** Throws where there is no such element any more. */
  element(ref: string): HTMLElement {
    const element = this.#elements.get(ref)?.deref();
    if (!element?.isConnected || !(element instanceof HTMLElement || element instanceof SVGElement))
      throw new Error(`There is no element ${ref} any more. Take a new snapshot.`);
    return element as HTMLElement;
  }
}
