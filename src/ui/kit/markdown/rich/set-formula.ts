import temml from 'temml';

/** The elements that a formula may consist of once it is set. None of them loads, links or runs anything. */
const ELEMENTS = new Set(
  (
    'math annotation semantics maction menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts ' +
    'mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none'
  ).split(' '),
);
const FORBIDDEN = /^(on|href|src|action|xlink|data-)/i;

/**
 * Sets a formula as MathML, which the browser draws with its own fonts. Throws if TeX cannot be read, or if it is more
 * than a formula: macros that grow without end, links, pictures.
 */
export function setFormula(tex: string, display: boolean): Element {
  const holder = document.createElement('span');
  temml.render(tex, holder, {
    displayMode: display,
    throwOnError: true,
    trust: false,
    strict: false,
    maxSize: [20, 40],
    maxExpand: 300,
  });
  const math = holder.firstElementChild;
  if (!math) throw new Error('no formula');
  check(math);
  math.setAttribute('alttext', tex);
  return math;
}

function check(element: Element): void {
  for (const each of [element, ...element.querySelectorAll('*')]) {
    const isMath = each.namespaceURI === 'http://www.w3.org/1998/Math/MathML' && ELEMENTS.has(each.localName);
    const bad = [...each.attributes].some(
      ({ name, value }) => FORBIDDEN.test(name) || /url\(|javascript:/i.test(value),
    );
    if (!isMath || bad) throw new Error(`a formula has no ${each.localName}`);
  }
}

/** Whether this browser draws MathML. */
export const drawsMath = 'MathMLElement' in globalThis;
