import { afterEach, beforeEach, expect, test } from 'vitest';
import './main.ts';

const page = document.createElement('main');
beforeEach(() => document.body.prepend(page));
afterEach(() => page.remove());

/** Returns red, green, blue and alpha of the middle of the element's picture. */
async function middleOf(element: Element): Promise<number[]> {
  const { draw } = Reflect.get(globalThis, 'vitrinePicture') as { draw(element: Element): Promise<string> };
  const bitmap = await createImageBitmap(await (await fetch(await draw(element))).blob());
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context?.drawImage(bitmap, 0, 0);
  return [...(context?.getImageData(bitmap.width / 2, bitmap.height / 2, 1, 1).data ?? [])];
}

test.for([
  ['no colour at all', 'oklch(0 0 0 / 0)', 'transparent', [255, 255, 255, 255]],
  ['a colour that lets half through', 'rgb(0 0 0 / 0.5)', 'transparent', [127, 127, 127, 255]],
  ['what is around it', 'transparent', 'rgb(0 0 255)', [0, 0, 255, 255]],
  ['its own colour', 'rgb(255 0 0)', 'rgb(0 0 255)', [255, 0, 0, 255]],
] as const)('behind an element is %s, and never nothing', async ([, own, around, wanted]) => {
  page.style.background = around;
  page.innerHTML = `<div style="width: 20px; height: 20px; background: ${own}"></div>`;
  const [element] = page.children;
  const found = element ? await middleOf(element) : [];
  found.forEach((value, at) => expect(Math.abs(value - (wanted[at] ?? 0))).toBeLessThan(3));
  expect(found).toHaveLength(4);
});
