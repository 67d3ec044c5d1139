import { FramePainter, type Painter } from './painter.ts';

let painter: Painter | null = null;

/** All diagrams of the page are drawn by one painter. */
export function sharedPainter(): Painter {
  painter ??= new FramePainter(document.body, new URL('diagram.html', document.baseURI));
  return painter;
}
