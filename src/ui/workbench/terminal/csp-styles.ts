/**
 * xterm puts rules into style elements and colours into style attributes of spans; a policy of `style-src 'self'`
 * forbids both. The same through the object model (constructed style sheets, `element.style`) is allowed, so that is
 * where its writes are sent. xterm takes the page's own `document` in some places, past its option for another one,
 * and so `document.createElement` itself is covered for as long as a terminal is open.
 */
export class CspStyles {
  readonly #sheets = new Set<CSSStyleSheet>();
  #opening = false;

  constructor() {
    Object.defineProperty(document, 'createElement', { value: this.#createElement, configurable: true });
  }

  /** Runs `open`, which makes all of xterm's style elements. Those that others make are left alone. */
  during(open: () => void): void {
    this.#opening = true;
    try {
      open();
    } finally {
      this.#opening = false;
    }
  }

  dispose(): void {
    const present = Object.getOwnPropertyDescriptor(document, 'createElement')?.value;
    if (present === this.#createElement) Reflect.deleteProperty(document, 'createElement');
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !this.#sheets.has(sheet));
  }

  readonly #createElement = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const create = Document.prototype.createElement.bind(document);
    // A style element is refused even while it is empty, so another stands in for it.
    if (this.#opening && name === 'style') return this.#writingToSheet(create('span'));
    const element = create(name, options);
    if (name === 'span') element.setAttribute = setAttribute;
    return element;
  };

  #writingToSheet(element: HTMLElement): HTMLElement {
    const sheet = new CSSStyleSheet();
    this.#sheets.add(sheet);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    Object.defineProperty(element, 'textContent', { set: (rules: string) => sheet.replaceSync(rules) });
    element.hidden = true;
    return element;
  }
}

function setAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else HTMLElement.prototype.setAttribute.call(this, name, value);
}
