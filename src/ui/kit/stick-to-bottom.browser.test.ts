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

/** Expects the box to stay at 600 px, to which it has just been scrolled, when its content grows. */
async function expectLeftAlone(): Promise<void> {
  await painted();
  expect(stick.pinned).toBe(false);
  content.style.height = '3000px';
  await painted();
  expect(box.scrollTop).toBe(600);
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

test('it goes on following after the content shrank and grew between two frames', async () => {
  await new Promise((resolve) => setTimeout(resolve));
  content.style.height = '1500px';
  // The browser lays the page out, and moves the box up.
  expect(box.scrollTop).toBe(1300);
  content.style.height = '2300px';
  await painted();
  expect(stick.pinned).toBe(true);
  expect(box.scrollTop).toBe(2100);
});

test('what moves the box while nothing grows, such as a search of the browser, stops it', async () => {
  box.scrollTop = 600;
  await expectLeftAlone();
});

test.for([
  ['a wheel', () => new WheelEvent('wheel', { deltaY: -100 })],
  ['a finger', () => new TouchEvent('touchmove')],
  ['the bar', () => new PointerEvent('pointerdown')],
  ['a key', () => new KeyboardEvent('keydown', { key: 'PageUp' })],
] as const)('a reader who scrolls up with %s while the content changes is left alone', async ([, input]) => {
  // Outside of a frame, so that the next one reports the scrolling first, as it does for a wheel.
  await new Promise((resolve) => setTimeout(resolve));
  content.style.height = '1990px';
  box.dispatchEvent(input());
  box.scrollTop = 600;
  await expectLeftAlone();
});
