const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex]';

/** Whether Tab reaches an element. */
function isStop(element: HTMLElement): boolean {
  return element.tabIndex >= 0 && !element.matches(':disabled') && element.checkVisibility();
}

/** An element that had the focus, and what surrounded it then. */
interface Held {
  readonly element: HTMLElement;
  /** The elements of the container that can have the focus, and the element itself among them. */
  readonly order: readonly HTMLElement[];
  /** From the nearest one outwards, without the container. */
  readonly ancestors: readonly HTMLElement[];
}

function held(container: HTMLElement, element: HTMLElement): Held {
  const order = [...container.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const ancestors: HTMLElement[] = [];
  for (let at = element.parentElement; at && at !== container; at = at.parentElement) ancestors.push(at);
  return { element, order, ancestors };
}

/** Returns an element that stood beside it and is still there. In the nearest surroundings that are left, those after it come first. */
function neighbour(container: HTMLElement, { element, order, ancestors }: Held): HTMLElement | undefined {
  const at = order.indexOf(element);
  const nearest = [...order.slice(at + 1), ...order.slice(0, Math.max(0, at)).toReversed()];
  for (const around of ancestors) {
    const found = container.contains(around) && nearest.find((each) => around.contains(each) && isStop(each));
    if (found) return found;
  }
  return undefined;
}

/**
 * For `{@attach}`: when what has the focus leaves the element, its neighbour gets the focus, or what `otherwise` focuses if
 * none is left. Without that the focus falls to the page, and keyboard and screen reader start again at its beginning.
 */
export function keepsFocus(otherwise: () => void): (container: HTMLElement) => () => void {
  return (container) => {
    let last: Held | undefined;
    const entered = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) last = held(container, target);
    };
    // Browsers differ in whether removing an element blurs it, so what is still there after that was left on purpose.
    const left = () => queueMicrotask(() => last?.element.isConnected && (last = undefined));
    const observer = new MutationObserver(() => {
      const lost = last;
      if (!lost || lost.element.isConnected) return;
      last = undefined;
      // Whoever removed it may have a better place for the focus, and focuses that first.
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body || !container.isConnected) return;
        const next = neighbour(container, lost);
        // The page stays where it is: the person has not asked to look elsewhere.
        if (next) next.focus({ preventScroll: true });
        else otherwise();
      });
    });
    container.addEventListener('focusin', entered);
    container.addEventListener('focusout', left);
    observer.observe(container, { childList: true, subtree: true });
    return () => {
      container.removeEventListener('focusin', entered);
      container.removeEventListener('focusout', left);
      observer.disconnect();
    };
  };
}
