import { afterEach, beforeEach, expect, test } from 'vitest';
import { StickToBottom } from './stick-to-bottom.ts';

let box: HTMLElement;
let content: HTMLElement;
let stick: StickToBottom;
let stop: () => void;

beforeEach(async () => {
  box = document.createElement('div');
  box.style.cssText = 'height: 200px; overflow-y: auto';
  content = document.createElement('div');
  content.style.height = '2000px';
  box.append(content);
  document.body.append(box);
  stick = new StickToBottom(box, () => undefined);
  stop = stick.start(content);
  await painted();
});

afterEach(() => {
  stop();
  box.remove();
});

function painted(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

test('it follows what grows', async () => {
  content.style.height = '3000px';
  await painted();
  expect(box.scrollTop).toBe(2800);
});

test('it goes on following after the content shrank, which moved the box up', async () => {
  content.style.height = '1500px';
  await painted();
  expect(stick.pinned).toBe(true);
  content.style.height = '1600px';
  await painted();
  expect(box.scrollTop).toBe(1400);
});

test('a reader who scrolls up at the moment in which the content shrinks is left alone', async () => {
  // Outside of a frame, so that the next one reports the scrolling first, as it does for a wheel.
  await new Promise((resolve) => setTimeout(resolve));
  content.style.height = '1990px';
  box.scrollTop = 600;
  await painted();
  expect(stick.pinned).toBe(false);
  content.style.height = '3000px';
  await painted();
  expect(box.scrollTop).toBe(600);
});
