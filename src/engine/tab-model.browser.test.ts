import { afterEach, expect, test } from 'vitest';
import { randomModel, tinyModel, type ModelFiles } from '../../test/support/tiny-model/tiny-model.ts';
import type { PromptSession } from '../models/browser/prompt-api.ts';
import { modelStore, tabModel, unload } from './tab-model.ts';

/** Sessions of the page with models of their own, on the real engine. */

const kept: string[] = [];
afterEach(async () => {
  for (const id of kept.splice(0)) {
    await unload(id);
    await modelStore.remove(id);
  }
});

async function keep(id: string, files: ModelFiles): Promise<void> {
  kept.push(id);
  for (const [path, bytes] of files)
    await modelStore.add(id, path, 0, new Blob([bytes]), { total: bytes.length, etag: null });
  await modelStore.describe({ id, name: id, dtype: 'fp32', isWhole: true });
}

const HELLO = [{ role: 'user', content: 'Hello' }] as const;
const sessionOf = async (id: string) => tabModel(id).api.create();

async function answerOf(session: PromptSession): Promise<string> {
  let text = '';
  const reader = session.promptStreaming(HELLO).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
  return text;
}

test('sessions that need other models wait for an answer, get their own model, and all go on', async () => {
  await keep('long', randomModel());
  for (const id of ['one', 'two']) await keep(id, tinyModel({ first: [`I am ${id}.`] }));
  const long = await sessionOf('long');
  const whole = await answerOf(long);
  const answering = answerOf(long);
  const others = ['one', 'two'].map(async (id) => answerOf(await sessionOf(id)));
  expect(await Promise.all(others)).toEqual(['I am one.', 'I am two.']);
  expect(await answering).toBe(whole);
  // Its model is not in memory any more, and comes back.
  expect(await answerOf(long)).toBe(whole);
});
