import { expect, test } from 'vitest';
import { say } from '../../../test/support/parts-model.ts';
import { sessionsOver } from '../../../test/support/session-harness.ts';
import type { ModelRef } from '../log/events.ts';
import type { StreamPart } from '../log/parts.ts';

const end: StreamPart = { type: 'finish', reason: 'stop', usage: {} };
const small: ModelRef = { provider: 'openai', model: 'tiny' };
const large: ModelRef = { provider: 'anthropic', model: 'large' };

/** Who was asked for the title and the summary of a session whose prompts go to `model`. */
async function askedBeside(model: ModelRef, isSetUp: boolean): Promise<readonly ModelRef[]> {
  const { sessions, workspace, asked } = sessionsOver(() => [...say('Fine.'), end], {
    titles: () => true,
    smallModel: () => small,
    isSetUp: () => isSetUp,
  });
  const session = await sessions.create({ workspaceID: workspace.id, title: '' });
  const named = new Promise<void>((resolve) =>
    session.onEvents((batch) => batch.some(({ type }) => type === 'session.titled') && resolve()),
  );
  await session.prompt('Go', { model });
  await Promise.all([session.rested(), named]);
  asked.length = 0;
  await session.summarize(new AbortController().signal);
  return asked;
}

test('the small model writes titles and summaries, and prompts go to the session’s own', async () => {
  const { sessions, workspace, asked } = sessionsOver(() => [...say('Fine.'), end], {
    titles: () => true,
    smallModel: () => small,
    isSetUp: () => true,
  });
  const session = await sessions.create({ workspaceID: workspace.id, title: '' });
  await session.prompt('Go', { model: large });
  await session.rested();
  await expect.poll(() => asked).toContainEqual(small);
  expect(asked).toContainEqual(large);
  expect(await askedBeside(large, true)).toEqual([small]);
});

test('a small model without a key is not used', async () => {
  expect(await askedBeside(large, false)).toEqual([large]);
});

test('nothing of a session that is played from a script is sent to the small model', async () => {
  const scripted = { provider: 'scripted', model: 'script' };
  expect(await askedBeside(scripted, true)).toEqual([scripted]);
});
