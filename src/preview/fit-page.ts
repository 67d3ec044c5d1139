/** Gives the element of a preview a size in CSS pixels, or all the room that there is. */
export function fitPage(
  { style }: HTMLElement,
  size: { readonly width: number; readonly height: number } | null,
): void {
  style.border = '0';
  style.display = 'block';
  // Pages without colours of their own expect a white background.
  style.background = 'white';
  style.colorScheme = 'light';
  style.width = size ? `${size.width}px` : '100%';
  style.height = size ? `${size.height}px` : '100%';
  style.marginInline = size ? 'auto' : '0';
}
