import { createContext, domToCanvas } from 'modern-screenshot';
import { LONGEST_PAGE_PICTURE, PICTURE_SIDE } from '../../../src/protocol/preview.ts';

/** Draws an element, or what is in view, and returns it as a data URL. Rejects with an error that says why it cannot. */
export type Draw = (element?: Element) => Promise<string>;

/** How long loading what the page shows may take, in milliseconds. */
const LOAD_MS = 5_000;

/** PNG keeps text sharp; a page with photographs may be too large as one. */
const FORMATS = [
  { type: 'image/png', quality: undefined },
  { type: 'image/jpeg', quality: 0.85 },
] as const;

const draw: Draw = async (element) => {
  const node = element ?? document.documentElement;
  const { width, height } = element?.getBoundingClientRect() ?? { width: innerWidth, height: innerHeight };
  if (width < 1 || height < 1) throw new Error('There is nothing to draw: it has no size.');
  const scale = Math.min(1, PICTURE_SIDE / Math.max(width, height));
  const context = await createContext(node, {
    width,
    height,
    scale,
    timeout: LOAD_MS,
    autoDestruct: true,
    // The copy begins at the top of the page, which may be scrolled.
    ...(!element && { style: { transform: `translate(${-scrollX}px, ${-scrollY}px)` } }),
  });
  // It learns what a browser's own styles are from a frame. Without an origin no frame can be read; with one that is not in
  // the page, it copies all styles.
  if (origin === 'null') context.sandbox = document.createElement('iframe');
  const drawn = onGround(await domToCanvas(context), groundOf(node));
  for (const { type, quality } of FORMATS) {
    const picture = drawn.toDataURL(type, quality);
    if (picture.length <= LONGEST_PAGE_PICTURE) return picture;
  }
  throw new Error('The picture is too large.');
};

/** Puts a colour behind what was drawn. In Firefox and Safari, the library draws several times and wipes off a colour that was there. */
function onGround(drawn: HTMLCanvasElement, colour: string): HTMLCanvasElement {
  const context = drawn.getContext('2d');
  if (!context) throw new Error('The browser cannot draw.');
  context.resetTransform();
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = colour;
  context.fillRect(0, 0, drawn.width, drawn.height);
  return drawn;
}

/**
 * Returns the colour behind an element, which is drawn with its own: those of the elements around it, on a white page. The page
 * itself may be smaller than what is in view, and is drawn on its own colour.
 */
function groundOf(node: Element): string {
  const behind = new Set<Element>();
  const first = node === document.documentElement ? node : node.parentElement;
  for (let at: Element | null = first; at; at = at.parentElement) behind.add(at);
  // The colour of the body covers the whole page, also where the page itself is drawn.
  if (node !== document.body) behind.add(document.body);
  const colours = [...behind].map((each) => getComputedStyle(each).backgroundColor);
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  for (const colour of ['white', ...colours.reverse()]) {
    if (context) context.fillStyle = colour;
    context?.fillRect(0, 0, 1, 1);
  }
  const [red = 255, green = 255, blue = 255] = context?.getImageData(0, 0, 1, 1).data ?? [];
  return `rgb(${red}, ${green}, ${blue})`;
}

Object.assign(globalThis, { vitrinePicture: { draw } });
