import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { installPromptAPI } from '../../test/support/prompt-api/fake.ts';
import { FaultError } from '../base/fault.ts';
import { promptAPI } from '../models/browser/prompt-api.ts';
import { browserModelOf } from './browser-model.ts';

const ofChromium = Object.getOwnPropertyDescriptor(globalThis, 'LanguageModel');
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'LanguageModel');
  if (ofChromium) Object.defineProperty(globalThis, 'LanguageModel', ofChromium);
  document.body.replaceChildren();
});

const signal = new AbortController().signal;

test('Chromium itself is asked, and whatever it answers has a name here', async () => {
  const states = ['none', 'unavailable', 'downloadable', 'downloading', 'available'];
  expect(states).toContain(await browserModelOf().state());
});

test('a browser without the API has no model', async () => {
  Reflect.deleteProperty(globalThis, 'LanguageModel');
  expect(await browserModelOf(promptAPI()).state()).toBe('none');
});

test('a download within a click tells how far it is', async () => {
  installPromptAPI({ availability: 'downloadable', answers: [] });
  const model = browserModelOf(promptAPI());
  const seen: number[] = [];
  const button = document.body.appendChild(document.createElement('button'));
  const ended = new Promise<void>((resolve, reject) => {
    button.onclick = () => model.download((fraction) => seen.push(fraction), signal).then(resolve, reject);
  });
  await page.getByRole('button').click();
  await ended;
  expect(seen).toEqual([0, 0.25, 0.5, 1]);
  expect(await model.state()).toBe('available');
});

test('a model that cannot run is refused with the reason', async () => {
  installPromptAPI({ availability: 'unavailable', answers: [] });
  const failure: unknown = await browserModelOf(promptAPI())
    .download(() => undefined, signal)
    .catch((error: unknown) => error);
  expect(failure instanceof FaultError && failure.fault).toMatchObject({
    code: 'browser-model-failed',
    what: expect.stringContaining('The model is unavailable.'),
  });
});
