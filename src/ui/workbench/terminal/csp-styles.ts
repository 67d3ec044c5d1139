/**
 * xterm puts rules into style elements and colours into style attributes; a policy of `style-src 'self'` forbids both.
 * The same rules through the object model (constructed style sheets, `element.style`) are allowed, so that is where
 * its writes are sent. No option of xterm does this.
 */
export interface CspStyles {
  /** For xterm's `documentOverride`. */
  readonly document: Document;
  /** Runs `open`, in which xterm also makes a style element past `documentOverride`. */
  during(open: () => void): void;
  dispose(): void;
}

export function cspStyles(real: Document): CspStyles {
  const sheets = new Set<CSSStyleSheet>();
  const adopt = (sheet: CSSStyleSheet) => {
    sheets.add(sheet);
    real.adoptedStyleSheets = [...real.adoptedStyleSheets, sheet];
  };
  const drop = (sheet: CSSStyleSheet) => {
    sheets.delete(sheet);
    real.adoptedStyleSheets = real.adoptedStyleSheets.filter((other) => other !== sheet);
  };
  const createElement = (name: string, options?: ElementCreationOptions): HTMLElement => {
    // A style element is refused even while it is empty, so another takes its place.
    const styles = name === 'style';
    const element = Document.prototype.createElement.call(real, styles ? 'span' : name, options);
    if (styles) writeToSheet(element, adopt, drop);
    else element.setAttribute = setAttribute;
    return element;
  };
  // xterm checks `instanceof Document`; the methods it uses need the real one as `this`.
  const document: Document = Object.create(real, {
    createElement: { value: createElement },
    createDocumentFragment: { value: () => real.createDocumentFragment() },
    addEventListener: { value: real.addEventListener.bind(real) },
    removeEventListener: { value: real.removeEventListener.bind(real) },
  });
  return {
    document,
    during(open) {
      Object.defineProperty(real, 'createElement', { value: createElement, configurable: true });
      try {
        open();
      } finally {
        Reflect.deleteProperty(real, 'createElement');
      }
    },
    dispose() {
      for (const sheet of sheets) drop(sheet);
    },
  };
}

function writeToSheet(
  element: HTMLElement,
  adopt: (sheet: CSSStyleSheet) => void,
  drop: (sheet: CSSStyleSheet) => void,
): void {
  const sheet = new CSSStyleSheet();
  adopt(sheet);
  element.hidden = true;
  Object.defineProperty(element, 'textContent', { set: (rules: string) => sheet.replaceSync(rules) });
  element.remove = () => {
    drop(sheet);
    HTMLElement.prototype.remove.call(element);
  };
}

function setAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else HTMLElement.prototype.setAttribute.call(this, name, value);
}
