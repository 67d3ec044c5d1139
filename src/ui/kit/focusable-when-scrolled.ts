/**
 * For `{@attach}`: puts the element into the order of Tab while its content is higher than the element, so that the keyboard
 * reaches and scrolls it. An element that shows everything would only be one stop more on the way.
 */
export function focusableWhenScrolled(element: HTMLElement): () => void {
  // Content that grows changes the element's own height until the element begins to scroll.
  const observer = new ResizeObserver(() => {
    if (element.scrollHeight > element.clientHeight + 1) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  });
  observer.observe(element);
  return () => observer.disconnect();
}
