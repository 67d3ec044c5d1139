/** True if the page is written from right to left. */
export function isRightToLeft(): boolean {
  return document.documentElement.dir === 'rtl';
}

/**
 * The arrow key that has this meaning in a page written from left to right: where text runs the other way, what comes
 * next stands on the left. Other keys are themselves.
 */
export function keyByDirection(key: string): string {
  if (!isRightToLeft()) return key;
  if (key === 'ArrowLeft') return 'ArrowRight';
  return key === 'ArrowRight' ? 'ArrowLeft' : key;
}
