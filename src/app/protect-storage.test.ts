import { expect, test } from 'vitest';
import type { Event } from '../session/log/events.ts';
import { protectingStorage } from './protect-storage.ts';

function prompt(provider: string): Event {
  const model = { provider, model: 'm' };
  const body = {
    type: 'prompt.accepted',
    messageID: 'm',
    parentID: null,
    text: 'x',
    agent: 'a',
    model,
  } as const;
  return { v: 1, sessionID: 's', seq: 0, time: 0, ...body };
}

test('the browser is asked once, for the first prompt to a real model, and may refuse', () => {
  let requests = 0;
  const stored = protectingStorage(() => {
    requests++;
    return Promise.reject(new Error('no'));
  });
  stored([prompt('scripted')]);
  expect(requests).toBe(0);
  stored([prompt('openai')]);
  stored([prompt('openai')]);
  expect(requests).toBe(1);
});
