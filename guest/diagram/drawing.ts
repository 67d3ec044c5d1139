/** An SVG document that stands alone, with its size and the names that its text gives it. */
export interface Drawing {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly description: string;
}

/** Makes Mermaid's markup a document: well-formed, with a size of its own and without links. */
export function drawingOf(markup: string): Drawing {
  const holder = document.createElement('div');
  holder.innerHTML = markup;
  const svg = holder.querySelector('svg');
  if (!svg) throw new Error('it is empty.');
  for (const link of svg.querySelectorAll('a'))
    for (const { name } of [...link.attributes]) link.removeAttribute(name);
  const { width, height } = svg.viewBox.baseVal;
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(height));
  svg.style.removeProperty('max-width');
  return {
    svg: new XMLSerializer().serializeToString(svg),
    width,
    height,
    title: svg.querySelector(':scope > title')?.textContent ?? '',
    description: svg.querySelector(':scope > desc')?.textContent ?? '',
  };
}
