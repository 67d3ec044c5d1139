import type { PickStep } from '../../../src/protocol/preview.ts';
import { PickMark } from './pick-mark.ts';
import { describePicked } from './picked.ts';
import { titleOf } from './roles.ts';
import { elementAt, firstIn, innerOf, nextOf, outerOf, previousOf, shadowRootsIn } from './whole-tree.ts';

const KEYS: Readonly<Record<string, PickStep>> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  ArrowLeft: 'outer',
  ArrowRight: 'inner',
};
/**
 * The events that a press of the pointer sets off. The page hears none of it while an element is picked, but for what scripts do, such as
 * the agent's clicks.
 */
const PRESSES = [
  'pointerdown',
  'mousedown',
  'pointerup',
  'mouseup',
  'click',
  'auxclick',
  'dblclick',
  'contextmenu',
  'dragstart',
] as const;
/** A finger may still scroll the page, so these are only kept from it. */
const TOUCHES = ['touchstart', 'touchmove', 'touchend'] as const;
/** How long a click may come after the pointer that made it was lifted, in milliseconds. */
const CLICK_MS = 400;

let current: Picking | undefined;
/** Until then, presses belong to the pick that is over. */
let swallowsUntil = 0;

/** Call this before the page's scripts run, because the page would hear the presses first otherwise. */
export function preparePicking(): void {
  addEventListener('pointermove', (event) => event.isTrusted && current?.moved(event), true);
  addEventListener('keydown', (event) => event.isTrusted && current?.key(event), true);
  for (const each of PRESSES) addEventListener(each, pressed, true);
  for (const each of TOUCHES)
    addEventListener(each, (event) => isPickers(event) && event.stopImmediatePropagation(), true);
}

/** Whether a press belongs to a pick, be it one that is over. */
function isPickers({ isTrusted }: Event): boolean {
  return isTrusted && (current !== undefined || performance.now() <= swallowsUntil);
}

function pressed(event: Event): void {
  const isOver = !current;
  if (!isPickers(event)) return;
  swallow(event);
  if (isOver && event.type === 'click') swallowsUntil = 0;
  if (!current || !(event instanceof PointerEvent) || event.type !== 'pointerup' || event.button !== 0)
    return;
  swallowsUntil = performance.now() + CLICK_MS;
  current.moved(event);
  current.end(true);
}

/** Lets the person pick an element. The answer is empty where nothing was picked. */
export function pick(): Promise<string> {
  current?.end(false);
  return new Promise((resolve, reject) => {
    const picking = new Picking((element) => {
      if (current === picking) current = undefined;
      try {
        resolve(element ? JSON.stringify(describePicked(element)) : '');
      } catch (error) {
        // A page may put anything in the place of what elements have.
        reject(error);
      }
    });
    current = picking;
  });
}

export function point(to: PickStep): string {
  if (!current) throw new Error('No element is being picked.');
  return current.point(to);
}

export function endPick(take: boolean): string {
  current?.end(take);
  return '';
}

/** One picking, from the mark's appearance until it is gone. */
class Picking {
  readonly #done: (element: Element | undefined) => void;
  readonly #mark = new PickMark();
  readonly #over = new AbortController();
  /** Keeps the pointer out of the documents of frames, and out of what is disabled: neither would let this hear of it. */
  readonly #through = new CSSStyleSheet();
  /** A style sheet of the page does not reach into shadow roots. */
  readonly #trees = [document, ...shadowRootsIn()];
  #element: Element | undefined;

  constructor(done: (element: Element | undefined) => void) {
    this.#done = done;
    this.#through.replaceSync(
      'iframe, object, embed, :disabled { pointer-events: none !important } * { cursor: crosshair !important }',
    );
    for (const tree of this.#trees) tree.adoptedStyleSheets.push(this.#through);
    this.#mark.show();
    const options = { capture: true, signal: this.#over.signal };
    for (const each of ['scroll', 'resize']) addEventListener(each, () => this.#draw(), options);
  }

  moved(event: PointerEvent): void {
    this.#set(this.#at(event));
  }

  key(event: KeyboardEvent): void {
    const to = KEYS[event.key];
    const ends = event.key === 'Escape' || event.key === 'Enter';
    if (!to && !ends) return;
    swallow(event);
    if (to) this.point(to);
    else this.end(event.key === 'Enter');
  }

  point(to: PickStep): string {
    const next = this.#element?.isConnected ? stepFrom(this.#element, to) : firstIn();
    if (next) this.#set(next);
    this.#element?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    this.#draw();
    return this.#element ? titleOf(this.#element) : '';
  }

  end(take: boolean): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    this.#mark.remove();
    for (const tree of this.#trees)
      tree.adoptedStyleSheets = tree.adoptedStyleSheets.filter((each) => each !== this.#through);
    this.#done(take && this.#element?.isConnected ? this.#element : undefined);
  }

  #at({ clientX, clientY }: PointerEvent): Element | undefined {
    this.#through.disabled = true;
    const element = elementAt(clientX, clientY);
    this.#through.disabled = false;
    return element;
  }

  #set(element: Element | undefined): void {
    if (element === this.#element) return;
    this.#element = element;
    this.#draw();
  }

  #draw(): void {
    this.#mark.around(this.#element, this.#element ? titleOf(this.#element) : '');
  }
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function stepFrom(element: Element, to: PickStep): Element | undefined {
  switch (to) {
    case 'outer': {
      const outer = outerOf(element);
      return outer === document.documentElement ? undefined : outer;
    }
    case 'inner':
      return innerOf(element);
    case 'next':
      return nextOf(element);
    case 'previous':
      return previousOf(element);
  }
}
