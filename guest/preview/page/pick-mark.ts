import { placeOf } from './whole-tree.ts';

/**
 * Marks an element of the page, above everything else, without changing it. The mark is in the top layer, takes no events, and
 * is styled by script, because a page's own policy may refuse style sheets.
 */
export class PickMark {
  readonly #host = document.createElement('div');
  readonly #frame = document.createElement('div');
  readonly #label = document.createElement('div');

  constructor() {
    const host = this.#host;
    host.setAttribute('aria-hidden', 'true');
    host.popover = 'manual';
    style(host, {
      all: 'initial',
      display: 'block',
      position: 'fixed',
      inset: '0',
      overflow: 'hidden',
      'z-index': '2147483647',
      'pointer-events': 'none',
    });
    const shadow = host.attachShadow({ mode: 'closed' });
    shadow.append(this.#frame, this.#label);
    style(this.#frame, {
      position: 'absolute',
      'box-sizing': 'border-box',
      border: '2px solid #1d4ed8',
      outline: '1px solid #fff',
      background: '#1d4ed822',
    });
    style(this.#label, {
      position: 'absolute',
      padding: '2px 6px',
      'max-width': '90%',
      overflow: 'hidden',
      background: '#1d4ed8',
      color: '#fff',
      font: '12px/1.4 system-ui, sans-serif',
      'text-overflow': 'ellipsis',
      'white-space': 'nowrap',
    });
  }

  show(): void {
    document.documentElement.append(this.#host);
    this.#host.showPopover();
    this.around(undefined, '');
  }

  around(element: Element | undefined, title: string): void {
    const shown = element?.isConnected ? 'block' : 'none';
    this.#frame.style.display = shown;
    this.#label.style.display = shown;
    if (!element) return;
    const { left, top, bottom, width, height } = placeOf(element);
    style(this.#frame, { left: px(left), top: px(top), width: px(width), height: px(height) });
    this.#label.textContent = title;
    const { offsetHeight, offsetWidth } = this.#label;
    const below = bottom + offsetHeight <= innerHeight ? bottom : Math.max(0, top - offsetHeight);
    style(this.#label, { left: px(Math.max(0, Math.min(left, innerWidth - offsetWidth))), top: px(below) });
  }

  remove(): void {
    this.#host.remove();
  }
}

const px = (length: number) => `${Math.round(length)}px`;

function style(element: HTMLElement, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) element.style.setProperty(name, value, 'important');
}
