import { createRawSnippet } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import type { DiagramColours } from '../../../../protocol/diagram.ts';
import '../../../styles/index.css';
import Diagram from './Diagram.svelte';
import type { Drawn, Painter } from './painter.ts';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>';
const source = createRawSnippet(() => ({ render: () => '<pre>graph LR</pre>' }));

/** Draws the same picture of everything, or refuses. */
class SamePainter implements Painter {
  readonly asked: DiagramColours[] = [];
  problem: string | null = null;

  async draw(_text: string, colours: DiagramColours): Promise<Drawn> {
    this.asked.push(colours);
    if (this.problem !== null) throw new Error(this.problem);
    return { svg: SVG, width: 40, height: 20, kind: 'flowchart', title: '', description: 'From a to b' };
  }
}

afterEach(() => void delete document.documentElement.dataset.theme);

test('a diagram is an image with a name, and its source is one click away', async () => {
  const painter = new SamePainter();
  const screen = await render(Diagram, { text: 'graph LR', source, painter });
  const image = screen.getByRole('img', { name: 'Diagram, flowchart. From a to b' });
  await expect.element(image).toBeVisible();
  await expect.element(image).toHaveAttribute('src', expect.stringMatching(/^data:image\/svg\+xml/));
  await expect.element(screen.getByText('graph LR')).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Show the source' }).click();
  await expect.element(screen.getByText('graph LR')).toBeVisible();
  await screen.getByRole('button', { name: 'Show the diagram' }).click();
  await expect.element(image).toBeVisible();
});

test('where it cannot be drawn, the source and the reason are shown', async () => {
  const painter = new SamePainter();
  painter.problem = 'it was not drawn within 10 seconds.';
  const screen = await render(Diagram, { text: 'graph LR', source, painter });
  await expect.element(screen.getByRole('status')).toHaveTextContent('it was not drawn within 10 seconds.');
  await expect.element(screen.getByText('graph LR')).toBeVisible();
});

test('it is drawn again in the colours of the theme', async () => {
  const painter = new SamePainter();
  await render(Diagram, { text: 'graph LR', source, painter });
  await expect.poll(() => painter.asked.length).toBe(1);
  document.documentElement.dataset.theme = 'dark';
  await expect.poll(() => painter.asked.length).toBe(2);
  expect(painter.asked.map(({ dark }) => dark)).toEqual([false, true]);
  expect(painter.asked[1]!.ground).not.toBe(painter.asked[0]!.ground);
});
