import { expect, onTestFinished, test } from 'vitest';
import { LARGEST_DRAWING, LONGEST_DIAGRAM } from '../../../../protocol/diagram.ts';
import { diagramColours } from './colours.ts';
import { FramePainter } from './painter.ts';

const DRAWN = `{ svg: '<svg/>', width: 4, height: 2, kind: 'flowchart', title: '', description: '' }`;
const answering = (body: string) =>
  `diagramPort.onmessage = ({ data }) => { const answer = (rest) => diagramPort.postMessage({ id: data.id, ...rest }); ${body} }`;

/** A painter whose frame runs this script in place of Mermaid. */
function painterWith(script: string, timeLimit = 10_000) {
  const container = document.createElement('div');
  document.body.append(container);
  onTestFinished(() => container.remove());
  const address = new URL('/diagram.html', location.href);
  const painter = new FramePainter(container, address, { script: async () => script, timeLimit });
  return {
    draw: (text = 'graph LR') => painter.draw(text, diagramColours()),
    frames: () => container.querySelectorAll('iframe').length,
  };
}

test('what is drawn is kept, and one frame draws all', async () => {
  const { draw, frames } = painterWith(answering(`answer(${DRAWN})`));
  const first = await draw('a');
  expect(first).toMatchObject({ svg: '<svg/>', width: 4 });
  expect(await draw('a')).toBe(first);
  await draw('b');
  expect(frames()).toBe(1);
});

test('a frame that hangs is removed, and the next diagram has another one', async () => {
  const { draw, frames } = painterWith(answering(`if (data.text !== 'hang') answer(${DRAWN})`), 1_000);
  await expect(draw('hang')).rejects.toThrow('it was not drawn within 1 seconds.');
  await expect.poll(frames).toBe(0);
  expect(await draw('b')).toMatchObject({ height: 2 });
});

test('a frame that goes to another page is removed', async () => {
  const { draw, frames } = painterWith(answering(`location = 'sandbox.html'`), 1_000);
  await expect(draw()).rejects.toThrow('not drawn');
  await expect.poll(frames).toBe(0);
});

test('an answer of another form or size is no drawing', async () => {
  const bad = [
    'answer({ svg: 1 })',
    `answer({ ...${DRAWN}, width: -1 })`,
    `answer({ ...${DRAWN}, svg: 'x'.repeat(${LARGEST_DRAWING + 1}) })`,
  ];
  for (const body of bad)
    await expect(painterWith(answering(body)).draw(), body).rejects.toThrow('too large, or none');
});

test('a text that is too long is not drawn, and a fault of the text costs no frame', async () => {
  const { draw, frames } = painterWith(answering(`answer({ problem: 'Expecting NODE' })`));
  await expect(draw('x'.repeat(LONGEST_DIAGRAM + 1))).rejects.toThrow('more than');
  expect(frames()).toBe(0);
  await expect(draw()).rejects.toThrow('Expecting NODE');
  expect(frames()).toBe(1);
});
