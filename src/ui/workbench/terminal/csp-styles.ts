/**
 * Redirects the styles that xterm writes into style elements and style attributes, since a policy of
 * `style-src 'self'` forbids both. Constructed style sheets and `element.style` are allowed, so the styles go
 * there. xterm uses the page's own `document` in some places, even with its option for another one, so
 * `document.createElement` itself is replaced while a terminal is open.
 */
export class CspStyles {
  static readonly #inUse = new Set<CspStyles>();
  readonly #sheets = new Set<CSSStyleSheet>();
  #opening = false;

  constructor() {
    CspStyles.#inUse.add(this);
    this.#cover();
  }

  /**
   * Runs `open`, in which xterm creates all of its style elements. Style elements from elsewhere are not
   * redirected.
   */
  during(open: () => void): void {
    this.#opening = true;
    this.#cover();
    try {
      open();
    } finally {
      this.#opening = false;
    }
  }

  dispose(): void {
    CspStyles.#inUse.delete(this);
    const [other] = CspStyles.#inUse;
    if (other) other.#cover();
    else Reflect.deleteProperty(document, 'createElement');
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !this.#sheets.has(sheet));
  }

  #cover(): void {
    Object.defineProperty(document, 'createElement', { value: this.#createElement, configurable: true });
  }

  readonly #createElement = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const create = Document.prototype.createElement.bind(document);
    // The policy refuses even an empty style element, so a span takes its place.
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
