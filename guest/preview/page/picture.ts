import type { Draw } from '../picture/main.ts';

let drawing: Draw | undefined;

/** Draws what is in view, or one element. The script that can do so comes with the first request, because few pages need it. */
export async function draw(script: string, element: Element | undefined): Promise<string> {
  drawing ??= (0, eval)(`${script}\n;vitrinePicture.draw`) as Draw;
  return drawing(element);
}
